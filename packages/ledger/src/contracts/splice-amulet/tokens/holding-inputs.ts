/** Holdings as inputs of a transfer. A lock that ran out is taken off on the way; one that did not fails it. */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchViewChecked } from "../../checks/checked-fetch.ts";
import { forOwnerOfHolding } from "../../checks/contract-group.ts";
import { Holding } from "../../splice-api-token-v1/holding.ts";
import { LockedAmulet } from "../declarations/amulet.ts";
import type { TransferInput } from "../declarations/transfer.ts";

export function spendHoldings(
  update: Update,
  expected: { readonly dso: PartyId; readonly owner: PartyId },
  holdingCids: readonly ContractId[],
): readonly TransferInput[] {
  const group = forOwnerOfHolding(expected);
  return holdingCids.map((cid): TransferInput => {
    const { lock } = fetchViewChecked(update, Holding, cid, group);
    if (lock === null) return { tag: "InputAmulet", value: cid };
    const { amuletCid } = update.exercise(LockedAmulet, cid, "LockedAmulet_OwnerExpireLockV2", {});
    return { tag: "InputAmulet", value: amuletCid };
  });
}
