/**
 * The parties and terms of a subscription's six contracts: sender, receiver and app sign every one of them, and
 * terms without a positive amount, interval and payment window cannot be written down.
 */
import type { PartyId } from "../../values/party-id.ts";
import type { SubscriptionData, SubscriptionPayData } from "./declarations/subscriptions.ts";

interface OfSubscription {
  readonly subscriptionData: SubscriptionData;
}

export function subscriptionSignatories({ subscriptionData }: OfSubscription): readonly PartyId[] {
  const { sender, receiver, provider } = subscriptionData;
  return [sender, receiver, provider];
}

export function subscriptionSender({ subscriptionData }: OfSubscription): readonly PartyId[] {
  return [subscriptionData.sender];
}

export function subscriptionReceiver({ subscriptionData }: OfSubscription): readonly PartyId[] {
  return [subscriptionData.receiver];
}

/** Paying is the sender's wallet's work: the sender and whoever hosts that wallet act together. */
export function senderAndWallet(
  { subscriptionData }: OfSubscription,
  { walletProvider }: { readonly walletProvider: PartyId },
): readonly PartyId[] {
  return [subscriptionData.sender, walletProvider];
}

export function hasValidPayData({ payData }: { readonly payData: SubscriptionPayData }): boolean {
  const { paymentAmount, paymentInterval, paymentDuration } = payData;
  return paymentAmount.amount > 0n && paymentInterval.microseconds > 0n && paymentDuration.microseconds > 0n;
}
