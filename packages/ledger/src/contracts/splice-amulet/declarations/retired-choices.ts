/** Choices of AmuletRules from before fees became zero and configurations were voted on when due: none works. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record, tuple } from "../../../daml/record.ts";
import { contractId, numeric, party, time } from "../../../daml/scalars.ts";
import { consuming, nonConsuming } from "../../../engine/declaration.ts";
import { AmuletConfig } from "./amulet-config.ts";
import { TransferContext, TransferOutput } from "./transfer.ts";

const scheduled = tuple(time, AmuletConfig);
const newRules = record({ newAmuletRules: contractId });

export const retiredChoices = {
  AmuletRules_ComputeFees: nonConsuming(
    {
      context: TransferContext,
      sender: party,
      outputs: list(TransferOutput),
      expectedDso: optional(party),
    },
    record({ fees: list(numeric) }),
  ),
  AmuletRules_AddFutureAmuletConfigSchedule: consuming({ newScheduleItem: scheduled }, newRules),
  AmuletRules_RemoveFutureAmuletConfigSchedule: consuming({ scheduleTime: time }, newRules),
  AmuletRules_UpdateFutureAmuletConfigSchedule: consuming({ scheduleItem: scheduled }, newRules),
} as const;
