/** Settlement of a subscription's locked payment: collected by the receiver, or given back to the sender. */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, ZERO } from "../../values/decimal.ts";
import type { AmuletCreateSummary } from "../splice-amulet/declarations/amulet.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type { AppTransferContext } from "../splice-amulet/declarations/transfer.ts";
import { requireRoundOfPayment, unlockAndTransfer } from "./collect-payment.ts";
import type { SubscriptionData } from "./declarations/subscriptions.ts";
import { refundPayment } from "./refund-payment.ts";

interface LockedSubscriptionPayment {
  readonly subscriptionData: SubscriptionData;
  readonly targetAmount: Decimal;
  readonly lockedAmulet: ContractId;
  readonly round: Round;
}

export function requireRoundOfSubscription(
  update: Update,
  what: "request" | "payment",
  { subscriptionData: { dso, provider }, round }: LockedSubscriptionPayment,
  context: AppTransferContext,
): void {
  requireRoundOfPayment(update, `subscription ${what}`, { dso, provider, round }, context);
}

export function collectForReceiver(
  update: Update,
  { subscriptionData, targetAmount, lockedAmulet }: LockedSubscriptionPayment,
  context: AppTransferContext,
): ContractId {
  const { receiver } = subscriptionData;
  const outputs = [{ receiver, receiverFeeRatio: ZERO, amount: targetAmount, lock: null }];
  const [coin] = unlockAndTransfer(update, subscriptionData, { lockedAmulet, outputs }, context);
  return coin ?? abort("The transfer of a collected payment creates one coin");
}

export function refundToSender(
  update: Update,
  { subscriptionData, lockedAmulet }: LockedSubscriptionPayment,
  how: "LockedAmulet_UnlockV2" | "LockedAmulet_OwnerExpireLockV2",
  context: AppTransferContext,
): AmuletCreateSummary {
  return refundPayment(update, subscriptionData, { lockedAmulet, how }, context);
}
