/** Rights are known to the last field: the right behind an id has to be exactly the one that is needed. */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { requireMatchingContract } from "../../checks/matching-contract.ts";
import { FeaturedAppRight, ValidatorRight } from "../declarations/amulet.ts";

export function requireFeaturedAppRight(
  update: Update,
  rightCid: ContractId,
  expected: { readonly dso: PartyId; readonly provider: PartyId },
): void {
  requireMatchingContract(update, FeaturedAppRight, rightCid, expected);
}

export function requireValidatorRight(
  update: Update,
  rightCid: ContractId,
  expected: { readonly dso: PartyId; readonly user: PartyId; readonly validator: PartyId },
): void {
  requireMatchingContract(update, ValidatorRight, rightCid, expected);
}
