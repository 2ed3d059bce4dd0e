/** Splice.Api.Token.AllocationRequestV1: how an app asks wallets for allocations. Apps implement it; we know it. */
import { textMap } from "../../daml/collections.ts";
import { record } from "../../daml/record.ts";
import { party } from "../../daml/scalars.ts";
import { consuming, declareInterface } from "../../engine/declaration.ts";
import { tokenAllocationRequestPackage } from "../packages.ts";
import { SettlementInfo, TransferLeg } from "./allocation.ts";
import { ChoiceExecutionMetadata, ExtraArgs, Metadata } from "./metadata.ts";

export const AllocationRequest = declareInterface({
  package: tokenAllocationRequestPackage,
  module: "Splice.Api.Token.AllocationRequestV1",
  entity: "AllocationRequest",
  view: record({ settlement: SettlementInfo, transferLegs: textMap(TransferLeg), meta: Metadata }),
  choices: {
    AllocationRequest_Reject: consuming({ actor: party, extraArgs: ExtraArgs }, ChoiceExecutionMetadata),
    AllocationRequest_Withdraw: consuming({ extraArgs: ExtraArgs }, ChoiceExecutionMetadata),
  },
});
