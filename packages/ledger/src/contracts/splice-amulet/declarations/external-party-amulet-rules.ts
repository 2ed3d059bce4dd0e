/**
 * Splice.ExternalPartyAmuletRules: rules that are hardly ever replaced, for parties that sign outside and take
 * their time. The token standard's factories are on it; the commands are what such parties used before.
 */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { AmuletAllocation } from "./amulet-allocation.ts";
import { InvalidTransferReason, PaymentTransferContext, TransferInput, TransferResult } from "./transfer.ts";

const place = { package: amuletPackage, module: "Splice.ExternalPartyAmuletRules" } as const;

/** A transfer that the sender lets its delegate perform. */
const command = {
  sender: party,
  receiver: party,
  delegate: party,
  amount: numeric,
  expiresAt: time,
  nonce: int64,
  description: optional(text),
} as const;

export const ExternalPartyAmuletRules = declareTemplate({
  ...place,
  entity: "ExternalPartyAmuletRules",
  fields: { dso: party },
  choices: {
    ExternalPartyAmuletRules_ExpireAmuletAllocations: nonConsuming(
      {
        expectedDso: party,
        inputs: list(record({ allocationCid: contractId, expireLock: bool })),
        observers: list(party),
      },
      record({ results: list(AmuletAllocation.choices.AmuletAllocation_DsoExpire.result) }),
    ),
    ExternalPartyAmuletRules_CreateTransferCommand: nonConsuming(
      { ...command, expectedDso: optional(party) },
      record({ transferCommandCid: contractId }),
    ),
  },
});

/** The number of the sender's next command; each counts once, whether it moved coin or not. */
export const TransferCommandCounter = declareTemplate({
  ...place,
  entity: "TransferCommandCounter",
  fields: { dso: party, sender: party, nextNonce: int64 },
});
export type TransferCommandCounter = ValueOf<(typeof TransferCommandCounter)["record"]>;

const Ended = record({ sender: party, nonce: int64 });

/** Lets a delegate make one transfer to a preapproved receiver. */
export const TransferCommand = declareTemplate({
  ...place,
  entity: "TransferCommand",
  fields: {
    dso: party,
    ...command,
  },
  choices: {
    TransferCommand_Send: consuming(
      {
        context: PaymentTransferContext,
        inputs: list(TransferInput),
        transferPreapprovalCidO: optional(contractId),
        transferCounterCid: contractId,
      },
      record({
        result: variant({
          TransferCommandResultFailure: record({ reason: InvalidTransferReason }),
          TransferCommandResultSuccess: record({ result: TransferResult }),
        }),
        sender: party,
        nonce: int64,
      }),
    ),
    TransferCommand_Withdraw: consuming({}, Ended),
    TransferCommand_Expire: consuming({ p: party }, Ended),
  },
});
export type TransferCommand = ValueOf<(typeof TransferCommand)["record"]>;
