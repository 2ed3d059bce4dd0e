/** Splice.AmuletTransferInstruction: coin that is locked until its receiver accepts it. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { contractId } from "../../../daml/scalars.ts";
import { declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { TokenTransfer } from "../../splice-api-token-v1/transfer-instruction.ts";

export const AmuletTransferInstruction = declareTemplate({
  package: amuletPackage,
  module: "Splice.AmuletTransferInstruction",
  entity: "AmuletTransferInstruction",
  fields: { lockedAmulet: contractId, transfer: TokenTransfer },
});
export type AmuletTransferInstruction = ValueOf<(typeof AmuletTransferInstruction)["record"]>;
