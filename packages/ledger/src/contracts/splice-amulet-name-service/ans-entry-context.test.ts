import { describe, expect, test } from "vitest";
import { aliceEntry, NameNetwork } from "../../../testing/name-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import { alice, bob, coin, laFamiglia } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { time } from "../../values/time.ts";
import { Amulet, FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry, AnsEntryContext } from "./declarations/ans.ts";

/** Requested and paid at 2026-01-01T00:00:00Z. */
function withPayment() {
  const network = new NameNetwork();
  const { entryCid: contextCid, requestCid } = network.requestEntry();
  return { network, contextCid, requestCid, paymentCid: network.acceptRequest(requestCid) };
}

describe("AnsEntryContext_CollectInitialEntryPayment", () => {
  test("burns the fee and creates the entry, which lives as long as the subscription is paid", () => {
    const { network, contextCid, requestCid, paymentCid } = withPayment();
    const { sandbox, dso } = network;
    sandbox.now = time("2026-01-01T00:03:00.000007Z");
    const { entryCid, subscriptionStateCid } = network.collectAsDso(contextCid, paymentCid);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionInitialPayment", "LockedAmulet"],
      created: ["Subscription", "SubscriptionIdleState", "AnsEntry"],
    });
    expect(sandbox.active(AnsEntry)).toEqual([
      {
        contractId: entryCid,
        payload: { user: alice, dso, ...aliceEntry, expiresAt: time("2026-04-01T00:03:00.000007Z") },
      },
    ]);
    const state = sandbox.payloadOf(SubscriptionIdleState, subscriptionStateCid);
    expect(state.nextPaymentDueAt).toBe(time("2026-04-01T00:03:00.000007Z"));
    expect(state.reference).toBe(requestCid);
    expect(sandbox.isActive(contextCid)).toBe(true);
    expect(sandbox.active(Amulet)).toEqual([]);
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  });

  test("lends the user's authority to the DSO, and no one else's is asked for", () => {
    const { network, contextCid, paymentCid } = withPayment();
    const { dso } = network;
    network.collectAsDso(contextCid, paymentCid);
    expect(exercisesOf(network.sandbox)).toEqual([
      ["AnsEntryContext_CollectInitialEntryPayment", [dso]],
      ["AnsRules_CollectInitialEntryPayment", [dso, alice]],
      ["SubscriptionInitialPayment_Collect", [alice, dso]],
      ["OpenMiningRound_Fetch", [dso]],
      ["LockedAmulet_UnlockV2", [alice, dso]],
      ["AmuletRules_Transfer", [dso, alice]],
      ["Archive", [dso, alice]],
      ["Archive", [dso]],
    ]);
  });

  test("is refused to the user", () => {
    const { network, contextCid, paymentCid } = withPayment();
    const argument = { paymentCid, transferContext: network.appContext(), ansRulesCid: network.ansRules };
    const as = { ...network.as(alice), readAs: [network.dso] };
    const choice = "AnsEntryContext_CollectInitialEntryPayment";
    expectUnauthorized(() => network.sandbox.exercise(AnsEntryContext, contextCid, choice, argument, as));
  });

  test("is refused for the payment of another request, though the user is the same", () => {
    const { network, contextCid } = withPayment();
    const other = network.requestEntry({ name: "other.unverified.cns" });
    const otherPayment = network.acceptRequest(other.requestCid);
    expectUnmet("Subscription reference matches", () => network.collectAsDso(contextCid, otherPayment));
  });

  test("is refused for another user's payment", () => {
    const { network, contextCid } = withPayment();
    const bobs = network.acceptRequest(network.requestEntry({}, bob).requestCid, bob);
    expectUnmet("Sender matches", () => network.collectAsDso(contextCid, bobs));
  });

  test("is refused for a payment to another app", () => {
    const { network, contextCid, requestCid, paymentCid } = withPayment();
    const { sandbox, dso } = network;
    const paid = sandbox.payloadOf(SubscriptionInitialPayment, paymentCid);
    const subscriptionData = { ...paid.subscriptionData, provider: laFamiglia };
    const forged = sandbox.create(
      SubscriptionInitialPayment,
      { ...paid, subscriptionData, reference: requestCid },
      { actAs: [alice, dso, laFamiglia] },
    );
    expectUnmet("matching DSO party", () => network.collectAsDso(contextCid, forged));
  });

  test("is refused if the fee would go to another party than the DSO", () => {
    const { network, contextCid, paymentCid } = withPayment();
    const { sandbox, dso } = network;
    const paid = sandbox.payloadOf(SubscriptionInitialPayment, paymentCid);
    const subscriptionData = { ...paid.subscriptionData, receiver: alice };
    const forged = sandbox.create(
      SubscriptionInitialPayment,
      { ...paid, subscriptionData },
      { actAs: [alice, dso] },
    );
    expectOtherGroup("Amulet", () => network.collectAsDso(contextCid, forged));
  });

  test("works in the round of the payment only, and once", () => {
    const { network, contextCid, paymentCid } = withPayment();
    const round = network.usableRound();
    network.advanceRounds();
    expectUnmet("Round at subscription request 1 matches round at collection 2", () =>
      network.collectAsDso(contextCid, paymentCid),
    );
    network.collectAsDso(contextCid, paymentCid, round);
    expectNotFound(() => network.collectAsDso(contextCid, paymentCid, round));
  });
});

describe("AnsEntryContext_RejectEntryInitialPayment", () => {
  test("refunds the payment, burns nothing, and leaves the context for the clean-up", () => {
    const { network, contextCid, requestCid, paymentCid } = withPayment();
    const { sandbox, dso } = network;
    const { amuletSum } = network.rejectAsDso(contextCid, paymentCid);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionInitialPayment", "LockedAmulet"],
      created: ["TerminatedSubscription", "Amulet"],
    });
    expect(amuletSum).toMatchObject({ amuletPrice: decimal("0.005"), round: { number: 1n } });
    expect(sandbox.active(Amulet)).toEqual([
      { contractId: amuletSum.amulet, payload: coin({ dso, owner: alice, amount: "200.0", round: 1n }) },
    ]);
    expect(sandbox.active(TerminatedSubscription).map(({ payload }) => payload.reference)).toEqual([
      requestCid,
    ]);
    expect(sandbox.isActive(contextCid)).toBe(true);
    expect(sandbox.active(AnsEntry)).toEqual([]);
  });

  test("is refused to the user", () => {
    const { network, contextCid, paymentCid } = withPayment();
    const argument = { paymentCid, transferContext: network.appContext(), ansRulesCid: network.ansRules };
    const as = { ...network.as(alice), readAs: [network.dso] };
    const choice = "AnsEntryContext_RejectEntryInitialPayment";
    expectUnauthorized(() => network.sandbox.exercise(AnsEntryContext, contextCid, choice, argument, as));
  });

  test("works with any context of the user or another: the payment alone is checked", () => {
    const { network, paymentCid } = withPayment();
    const { entryCid: bobsContext } = network.requestEntry({}, bob);
    network.rejectAsDso(bobsContext, paymentCid);
    expect(network.balanceOf(alice)).toBe(decimal("200.0"));
  });
});

describe("AnsEntryContext_Terminate", () => {
  function withTombstone(network = new NameNetwork(), user = alice) {
    const { entryCid: contextCid, requestCid } = network.requestEntry({}, user);
    const choice = "SubscriptionRequest_Reject";
    const as = { actAs: [user] };
    const { terminatedSubscription } = network.sandbox.exercise(
      SubscriptionRequest,
      requestCid,
      choice,
      {},
      as,
    );
    return { network, contextCid, terminatedSubscriptionCid: terminatedSubscription };
  }
  const terminate = (
    network: NameNetwork,
    contextCid: ContractId,
    terminatedSubscriptionCid: ContractId,
    { actor = network.dso, actAs = [actor] }: { actor?: PartyId; actAs?: readonly PartyId[] } = {},
  ) =>
    network.sandbox.exercise(
      AnsEntryContext,
      contextCid,
      "AnsEntryContext_Terminate",
      { actor, terminatedSubscriptionCid },
      { actAs },
    );

  test.each(["DSO", "alice"])("removes the context together with the tombstone, for %s", (hint) => {
    const { network, contextCid, terminatedSubscriptionCid } = withTombstone();
    const actor = hint === "DSO" ? network.dso : alice;
    expect(terminate(network, contextCid, terminatedSubscriptionCid, { actor })).toEqual({});
    expect(changesOf(network.sandbox)).toEqual({
      archived: ["AnsEntryContext", "TerminatedSubscription"],
      created: [],
    });
  });

  test("is refused for the tombstone of another request", () => {
    const network = new NameNetwork();
    const { contextCid } = withTombstone(network);
    const other = withTombstone(network);
    expectUnmet("Reference matches", () => terminate(network, contextCid, other.terminatedSubscriptionCid));
    expect(network.sandbox.isActive(other.terminatedSubscriptionCid)).toBe(true);
  });

  test("is exercised by signatories, with their own authority", () => {
    const { network, contextCid, terminatedSubscriptionCid } = withTombstone();
    const by = (actor: PartyId, actAs: readonly PartyId[]) =>
      terminate(network, contextCid, terminatedSubscriptionCid, { actor, actAs });
    expectUnmet("Actor is signatory", () => by(bob, [bob, alice]));
    expectUnauthorized(() => by(network.dso, [alice]));
  });

  test("works once", () => {
    const { network, contextCid, terminatedSubscriptionCid } = withTombstone();
    terminate(network, contextCid, terminatedSubscriptionCid);
    expectNotFound(() => terminate(network, contextCid, terminatedSubscriptionCid));
  });
});
