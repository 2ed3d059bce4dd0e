/** Splice.AmuletAllocation: coin that is locked for one leg of a settlement. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { AllocationSpecification } from "../../splice-api-token-v1/allocation.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";

export const AmuletAllocation = declareTemplate({
  package: amuletPackage,
  module: "Splice.AmuletAllocation",
  entity: "AmuletAllocation",
  fields: { lockedAmulet: contractId, allocation: AllocationSpecification },
  choices: {
    AmuletAllocation_DsoExpire: consuming(
      { expireLock: bool },
      record({ senderHoldingCids: list(contractId), meta: Metadata }),
    ),
  },
});
export type AmuletAllocation = ValueOf<(typeof AmuletAllocation)["record"]>;
