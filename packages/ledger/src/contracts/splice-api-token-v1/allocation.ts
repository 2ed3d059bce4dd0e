/** Splice.Api.Token.AllocationV1: tokens put aside for one leg of a settlement that an app carries out. */
import { list } from "../../daml/collections.ts";
import type { ValueOf } from "../../daml/daml-type.ts";
import { optional } from "../../daml/optional.ts";
import { record } from "../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../daml/scalars.ts";
import { consuming, declareInterface } from "../../engine/declaration.ts";
import { tokenAllocationPackage } from "../packages.ts";
import { InstrumentId } from "./holding.ts";
import { ExtraArgs, Metadata } from "./metadata.ts";

export const SettlementInfo = record("SettlementInfo", {
  executor: party,
  settlementRef: record("Reference", { id: text, cid: optional(contractId) }),
  requestedAt: time,
  allocateBefore: time,
  settleBefore: time,
  meta: Metadata,
});

export const TransferLeg = record("TransferLeg", {
  sender: party,
  receiver: party,
  amount: numeric,
  instrumentId: InstrumentId,
  meta: Metadata,
});

export const AllocationSpecification = record("AllocationSpecification", {
  settlement: SettlementInfo,
  transferLegId: text,
  transferLeg: TransferLeg,
});
export type AllocationSpecification = ValueOf<typeof AllocationSpecification>;

const Released = record({ senderHoldingCids: list(contractId), meta: Metadata });

export const Allocation = declareInterface({
  package: tokenAllocationPackage,
  module: "Splice.Api.Token.AllocationV1",
  entity: "Allocation",
  view: record({ allocation: AllocationSpecification, holdingCids: list(contractId), meta: Metadata }),
  choices: {
    Allocation_ExecuteTransfer: consuming(
      { extraArgs: ExtraArgs },
      record({ senderHoldingCids: list(contractId), receiverHoldingCids: list(contractId), meta: Metadata }),
    ),
    Allocation_Cancel: consuming({ extraArgs: ExtraArgs }, Released),
    Allocation_Withdraw: consuming({ extraArgs: ExtraArgs }, Released),
  },
});
