/** Splice.Api.Token.AllocationInstructionV1: how any wallet puts tokens aside for a settlement. */
import { damlMap, list } from "../../daml/collections.ts";
import { optional } from "../../daml/optional.ts";
import { record } from "../../daml/record.ts";
import { contractId, party, text, time, unit } from "../../daml/scalars.ts";
import { variant } from "../../daml/variant.ts";
import { consuming, declareInterface, nonConsuming } from "../../engine/declaration.ts";
import { tokenAllocationInstructionPackage } from "../packages.ts";
import { AllocationSpecification } from "./allocation.ts";
import { ExtraArgs, Metadata } from "./metadata.ts";

const place = {
  package: tokenAllocationInstructionPackage,
  module: "Splice.Api.Token.AllocationInstructionV1",
} as const;

const AllocationInstructionResult = record({
  output: variant({
    AllocationInstructionResult_Pending: record({ allocationInstructionCid: contractId }),
    AllocationInstructionResult_Completed: record({ allocationCid: contractId }),
    AllocationInstructionResult_Failed: unit,
  }),
  senderChangeCids: list(contractId),
  meta: Metadata,
});

/** For registries that take several steps; the coin's allocations are made in one. */
export const AllocationInstruction = declareInterface({
  ...place,
  entity: "AllocationInstruction",
  view: record({
    originalInstructionCid: optional(contractId),
    allocation: AllocationSpecification,
    pendingActions: damlMap(party, text),
    requestedAt: time,
    inputHoldingCids: list(contractId),
    meta: Metadata,
  }),
  choices: {
    AllocationInstruction_Withdraw: consuming({ extraArgs: ExtraArgs }, AllocationInstructionResult),
    AllocationInstruction_Update: consuming(
      { extraActors: list(party), extraArgs: ExtraArgs },
      AllocationInstructionResult,
    ),
  },
});

const AllocationFactoryView = record({ admin: party, meta: Metadata });

export const AllocationFactory = declareInterface({
  ...place,
  entity: "AllocationFactory",
  view: AllocationFactoryView,
  choices: {
    AllocationFactory_Allocate: nonConsuming(
      {
        expectedAdmin: party,
        allocation: AllocationSpecification,
        requestedAt: time,
        inputHoldingCids: list(contractId),
        extraArgs: ExtraArgs,
      },
      AllocationInstructionResult,
    ),
    AllocationFactory_PublicFetch: nonConsuming(
      { expectedAdmin: party, actor: party },
      AllocationFactoryView,
    ),
  },
});
