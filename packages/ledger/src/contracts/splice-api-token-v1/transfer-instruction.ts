/** Splice.Api.Token.TransferInstructionV1: how any wallet sends tokens, at once or for the receiver to accept. */
import { damlMap, list } from "../../daml/collections.ts";
import type { ValueOf } from "../../daml/daml-type.ts";
import { optional } from "../../daml/optional.ts";
import { record } from "../../daml/record.ts";
import { contractId, numeric, party, text, time, unit } from "../../daml/scalars.ts";
import { variant } from "../../daml/variant.ts";
import { consuming, declareInterface, nonConsuming } from "../../engine/declaration.ts";
import { tokenTransferInstructionPackage } from "../packages.ts";
import { InstrumentId } from "./holding.ts";
import { ExtraArgs, Metadata } from "./metadata.ts";

const place = {
  package: tokenTransferInstructionPackage,
  module: "Splice.Api.Token.TransferInstructionV1",
} as const;

export const TokenTransfer = record("Transfer", {
  sender: party,
  receiver: party,
  amount: numeric,
  instrumentId: InstrumentId,
  requestedAt: time,
  executeBefore: time,
  inputHoldingCids: list(contractId),
  meta: Metadata,
});
export type TokenTransfer = ValueOf<typeof TokenTransfer>;

export const TransferInstructionResult = record({
  output: variant({
    TransferInstructionResult_Pending: record({ transferInstructionCid: contractId }),
    TransferInstructionResult_Completed: record({ receiverHoldingCids: list(contractId) }),
    TransferInstructionResult_Failed: unit,
  }),
  senderChangeCids: list(contractId),
  meta: Metadata,
});
export type TransferInstructionResult = ValueOf<typeof TransferInstructionResult>;

export const TransferInstruction = declareInterface({
  ...place,
  entity: "TransferInstruction",
  view: record({
    originalInstructionCid: optional(contractId),
    transfer: TokenTransfer,
    status: variant({
      TransferPendingReceiverAcceptance: unit,
      TransferPendingInternalWorkflow: record({ pendingActions: damlMap(party, text) }),
    }),
    meta: Metadata,
  }),
  choices: {
    TransferInstruction_Accept: consuming({ extraArgs: ExtraArgs }, TransferInstructionResult),
    TransferInstruction_Reject: consuming({ extraArgs: ExtraArgs }, TransferInstructionResult),
    TransferInstruction_Withdraw: consuming({ extraArgs: ExtraArgs }, TransferInstructionResult),
    TransferInstruction_Update: consuming(
      { extraActors: list(party), extraArgs: ExtraArgs },
      TransferInstructionResult,
    ),
  },
});

const TransferFactoryView = record({ admin: party, meta: Metadata });

export const TransferFactory = declareInterface({
  ...place,
  entity: "TransferFactory",
  view: TransferFactoryView,
  choices: {
    TransferFactory_Transfer: nonConsuming(
      { expectedAdmin: party, transfer: TokenTransfer, extraArgs: ExtraArgs },
      TransferInstructionResult,
    ),
    TransferFactory_PublicFetch: nonConsuming({ expectedAdmin: party, actor: party }, TransferFactoryView),
  },
});
