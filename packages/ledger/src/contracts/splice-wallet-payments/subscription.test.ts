import { expect, test } from "vitest";
import { expectNotFound, expectUnauthorized } from "../../../testing/rejection.ts";
import { SubscriptionNetwork } from "../../../testing/subscription-fixture.ts";
import { changesOf } from "../../../testing/transaction-changes.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Subscription, TerminatedSubscription } from "./declarations/subscriptions.ts";

test("a subscription is archived by all its signatories together, once, and leaves a tombstone", () => {
  const network = new SubscriptionNetwork();
  const { sandbox, signers } = network;
  const { request, subscription } = network.subscribe();
  const archive = (actAs: readonly PartyId[]) =>
    sandbox.exercise(Subscription, subscription, "Subscription_Archive", {}, { actAs });
  for (const missing of signers) {
    expectUnauthorized(() => archive(signers.filter((party) => party !== missing)));
  }
  const { terminatedSubscription } = archive(signers);
  expect(changesOf(sandbox)).toEqual({ archived: ["Subscription"], created: ["TerminatedSubscription"] });
  expect(sandbox.payloadOf(TerminatedSubscription, terminatedSubscription)).toEqual({
    subscriptionData: network.pizzaData,
    reference: request,
  });
  expectNotFound(() => archive(signers));
});
