/**
 * ExternalPartyAmuletRules: what parties that sign outside use instead of AmuletRules, because it stays the same
 * for very long. The token standard's factories are on it.
 */

import { showParty } from "../../../daml/show.ts";
import { requireThat } from "../../../engine/failure.ts";
import { implement } from "../../../engine/template.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDsoOfAllocation } from "../../checks/contract-group.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import { requireExpectedDso } from "../../checks/expected-dso.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { ExternalPartyAmuletRules, TransferCommand } from "../declarations/external-party-amulet-rules.ts";
import { allocationFactory } from "./allocation-factory.ts";
import { transferFactory } from "./transfer-factory.ts";

export const externalPartyAmuletRules = implement(ExternalPartyAmuletRules, {
  signatories: ({ dso }) => [dso],
  choices: {
    ExternalPartyAmuletRules_ExpireAmuletAllocations: {
      controllers: ({ dso }) => [dso],
      observers: (_rules, { observers }) => observers,
      exercise: ({ update, contract: { dso }, argument: { expectedDso, inputs } }) => {
        const label = `expectedDso ${showParty(expectedDso)} matches the dsoParty ${showParty(dso)}`;
        requireThat(label, expectedDso === dso);
        const ofDso = forDsoOfAllocation(dso);
        const results = inputs.map(({ allocationCid, expireLock }) => {
          fetchChecked(update, AmuletAllocation, allocationCid, ofDso);
          return update.exercise(AmuletAllocation, allocationCid, "AmuletAllocation_DsoExpire", {
            expireLock,
          });
        });
        return { results };
      },
    },
    ExternalPartyAmuletRules_CreateTransferCommand: {
      controllers: (_rules, { sender }) => [sender],
      exercise: ({ update, contract: { dso }, argument: { expectedDso, ...command } }) => {
        requireExpectedDso(dso, expectedDso);
        const deadline = "ExternalPartyAmuletRules_CreateTransferCommand.expiresAt";
        requireWithinDeadline(deadline, update.now, command.expiresAt);
        return { transferCommandCid: update.create(TransferCommand, { dso, ...command }) };
      },
    },
  },
  interfaces: [transferFactory, allocationFactory],
});
