/**
 * Accepting a subscription and paying for its next interval both lock the price in coin of the round the wallet
 * chose; receiver and app hold the lock.
 */
import type { Update } from "../../engine/update.ts";
import type { Decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchOpenRound } from "../splice-amulet/rounds/fetch-open-round.ts";
import type { SubscriptionData, SubscriptionPayData } from "./declarations/subscriptions.ts";
import { type LockedCoin, lockCoin, type WalletPayment } from "./lock-coin.ts";
import { paymentAmountToAmulet } from "./payment-amount-to-amulet.ts";

export interface LockedPayment extends LockedCoin {
  readonly targetAmount: Decimal;
}

export function lockPayment(
  update: Update,
  terms: { readonly subscriptionData: SubscriptionData; readonly payData: SubscriptionPayData },
  paying: WalletPayment,
): LockedPayment {
  const { sender, receiver, provider, dso, description } = terms.subscriptionData;
  const { openMiningRound } = paying.context.context;
  const round = fetchOpenRound(update, openMiningRound, { dso, reader: sender });
  const targetAmount = paymentAmountToAmulet(terms.payData.paymentAmount, round.amuletPrice);
  const lock = {
    sender,
    dso,
    amount: targetAmount,
    holders: lockHolders(provider, receiver),
    optContext: `amulet-subscription: ${description}`,
  };
  return { targetAmount, ...lockCoin(update, lock, round, paying) };
}

/** Sorted and without duplicates; party ids are ASCII, so their order is that of the strings. */
function lockHolders(provider: PartyId, receiver: PartyId): readonly PartyId[] {
  if (provider === receiver) return [provider];
  return provider < receiver ? [provider, receiver] : [receiver, provider];
}
