/** The checks that several choices of a subscription share, and how a subscription ends. */
import { equalValues } from "../../daml/daml-type.ts";
import { abort, requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Subscription, type SubscriptionData, TerminatedSubscription } from "./declarations/subscriptions.ts";

export function requireSignatory({ sender, receiver, provider }: SubscriptionData, actor: PartyId): void {
  requireThat(
    `Actor '${actor}' is a signatory`,
    actor === sender || actor === receiver || actor === provider,
  );
}

/** A state carries a copy of its subscription's data; the contract it points to has to say the same. */
export function requireMatchingSubscription(
  update: Update,
  state: {
    readonly subscription: ContractId;
    readonly subscriptionData: SubscriptionData;
    readonly reference: ContractId;
  },
): void {
  const { subscription, subscriptionData, reference } = state;
  const actual = update.fetch(Subscription, subscription);
  const expected = { subscriptionData, reference };
  if (equalValues(Subscription.record, actual, expected)) return;
  const show = Subscription.record.encode;
  abort(`Contract mismatch: expected ${show(expected)}, got ${show(actual)} referenced by ${subscription}`);
}

/** The tombstone lets the app remove its own contracts of the subscription together with it. */
export function terminate(
  update: Update,
  subscriptionData: SubscriptionData,
  reference: ContractId,
): { readonly terminatedSubscription: ContractId } {
  return { terminatedSubscription: update.create(TerminatedSubscription, { subscriptionData, reference }) };
}
