/**
 * A payment that is rejected or has lapsed gives the locked coin back to its owner as it was before: same
 * amount, same round of creation, same holding fee. A reject needs everybody who holds the lock; an expiry
 * needs the lock's deadline to have passed.
 */
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type AmuletCreateSummary, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import type { AppTransferContext } from "../splice-amulet/declarations/transfer.ts";
import type { SubscriptionData } from "./declarations/subscriptions.ts";
import { fetchOpenRound } from "./fetch-open-round.ts";

export function refundPayment(
  update: Update,
  payment: { readonly subscriptionData: SubscriptionData; readonly lockedAmulet: ContractId },
  how: "LockedAmulet_UnlockV2" | "LockedAmulet_OwnerExpireLockV2",
  { openMiningRound }: AppTransferContext,
): AmuletCreateSummary {
  const { dso, sender } = payment.subscriptionData;
  const { amuletCid } = update.exercise(LockedAmulet, payment.lockedAmulet, how, {});
  const { amuletPrice, round } = fetchOpenRound(update, openMiningRound, { dso, reader: sender });
  return { amulet: amuletCid, amuletPrice, round };
}
