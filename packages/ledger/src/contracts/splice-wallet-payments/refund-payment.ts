/**
 * A payment that is rejected or has lapsed gives the locked coin back to its owner as it was before: same
 * amount, same round of creation, same holding fee. A reject needs everybody who holds the lock; an expiry
 * needs the lock's deadline to have passed.
 */
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type AmuletCreateSummary, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import type { AppTransferContext } from "../splice-amulet/declarations/transfer.ts";
import { fetchOpenRound } from "../splice-amulet/rounds/fetch-open-round.ts";
import type { PaymentParties } from "./collect-payment.ts";

export function refundPayment(
  update: Update,
  { dso, sender }: Pick<PaymentParties, "dso" | "sender">,
  refund: {
    readonly lockedAmulet: ContractId;
    readonly how: "LockedAmulet_UnlockV2" | "LockedAmulet_OwnerExpireLockV2";
  },
  { openMiningRound }: AppTransferContext,
): AmuletCreateSummary {
  const { amuletCid } = update.exercise(LockedAmulet, refund.lockedAmulet, refund.how, {});
  const { amuletPrice, round } = fetchOpenRound(update, openMiningRound, { dso, reader: sender });
  return { amulet: amuletCid, amuletPrice, round };
}
