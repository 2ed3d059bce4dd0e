/** The checks that several choices of a subscription share, and how a subscription ends. */

import { showParty } from "../../daml/show.ts";
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { requireMatchingContract } from "../checks/matching-contract.ts";
import { Subscription, type SubscriptionData, TerminatedSubscription } from "./declarations/subscriptions.ts";

export function requireSignatory({ sender, receiver, provider }: SubscriptionData, actor: PartyId): void {
  requireThat(
    `Actor ${showParty(actor)} is a signatory`,
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
  const expected = { subscriptionData, reference };
  requireMatchingContract(update, Subscription, subscription, expected);
}

/** The tombstone lets the app remove its own contracts of the subscription together with it. */
export function terminate(
  update: Update,
  subscriptionData: SubscriptionData,
  reference: ContractId,
): { readonly terminatedSubscription: ContractId } {
  return { terminatedSubscription: update.create(TerminatedSubscription, { subscriptionData, reference }) };
}
