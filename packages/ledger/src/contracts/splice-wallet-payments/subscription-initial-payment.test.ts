import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import {
  alice,
  bob,
  coin,
  laFamiglia,
  pizzaPayData,
  pizzeria,
  SubscriptionNetwork,
} from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  TerminatedSubscription,
} from "./declarations/subscriptions.ts";

/** Paid at 2026-01-01T00:00:00Z in round 1; the lock ends 20 minutes later. */
function withPayment(amount = "12.0") {
  const network = new SubscriptionNetwork();
  const request = network.requestSubscription();
  const { subscriptionPayment } = network.accept(request, { inputs: [network.tap(alice, amount)] });
  return { network, request, payment: subscriptionPayment, round: network.usableRound() };
}

/** A round of another DSO with the same number. */
function foreignRound(network: SubscriptionNetwork) {
  const payload = { ...network.usableRound().payload, dso: bob };
  return { contractId: network.sandbox.create(OpenMiningRound, payload, { actAs: [bob] }), payload };
}

describe("SubscriptionInitialPayment_Collect", () => {
  test("pays the receiver and starts the subscription, due an interval after the collection", () => {
    const { network, request, payment } = withPayment();
    const { sandbox, dso, pizzaData } = network;
    sandbox.now = time("2026-01-01T00:05:00.000001Z");
    const result = network.collectInitial(payment);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionInitialPayment", "LockedAmulet"],
      created: ["Subscription", "SubscriptionIdleState", "Amulet"],
    });
    expect(sandbox.payloadOf(Subscription, result.subscription)).toEqual({
      subscriptionData: pizzaData,
      reference: request,
    });
    expect(sandbox.payloadOf(SubscriptionIdleState, result.subscriptionState)).toEqual({
      subscription: result.subscription,
      subscriptionData: pizzaData,
      payData: pizzaPayData,
      nextPaymentDueAt: time("2026-01-29T00:05:00.000001Z"),
      reference: request,
    });
    expect(sandbox.payloadOf(Amulet, result.amulet)).toEqual(
      coin({ dso, owner: pizzeria, amount: "12.0", round: 1n }),
    );
  });

  test("reads the round as the app, in the open, and transfers with the app as provider", () => {
    const { network, payment } = withPayment();
    network.collectInitial(payment);
    const { signers, dso } = network;
    expect(exercisesOf(network.sandbox)).toEqual([
      ["SubscriptionInitialPayment_Collect", signers],
      ["OpenMiningRound_Fetch", [laFamiglia]],
      ["LockedAmulet_UnlockV2", [alice, laFamiglia, pizzeria]],
      ["AmuletRules_Transfer", [alice, laFamiglia, pizzeria]],
      ["Archive", [dso, alice]],
    ]);
  });

  test("works in the round of the payment only", () => {
    const { network, payment, round } = withPayment();
    expectUnmet("Round at subscription request 1 matches round at collection 0", () =>
      network.collectInitial(payment, { round: network.openRound(0n) }),
    );
    network.advanceRounds();
    expectUnmet("Round at subscription request 1 matches round at collection 2", () =>
      network.collectInitial(payment),
    );
    network.collectInitial(payment, { round });
    expect(network.balanceOf(pizzeria)).toBe(decimal("12.0"));
  });

  test("works until the round is archived, also after the lock's deadline", () => {
    const { network, payment, round } = withPayment();
    network.sandbox.advance(60n * MINUTE);
    network.advanceRounds();
    network.collectInitial(payment, { round });
    expect(network.balanceOf(pizzeria)).toBe(decimal("12.0"));
  });

  test("fails once its round is archived", () => {
    const { network, payment, round } = withPayment();
    const as = network.as(...network.signers);
    network.advanceRounds();
    network.advanceRounds();
    expectNotFound(() => network.collectInitial(payment, { round, as: { ...as, disclose: [] } }));
  });

  test("needs a round of the same DSO", () => {
    const { network, payment } = withPayment();
    const round = foreignRound(network);
    expectOtherGroup("OpenMiningRound", () => network.collectInitial(payment, { round }));
  });

  test("needs all three signatories", () => {
    const { network, payment } = withPayment();
    for (const missing of network.signers) {
      const others = network.signers.filter((party) => party !== missing);
      expectUnauthorized(() => network.collectInitial(payment, { as: network.as(...others) }));
    }
  });

  test("gives the receiver exactly the target, and the sender what the lock holds beyond it", () => {
    const { network, payment } = withPayment();
    const { sandbox } = network;
    const paid = sandbox.payloadOf(SubscriptionInitialPayment, payment);
    const asSigners = { actAs: network.signers };
    const less = sandbox.create(
      SubscriptionInitialPayment,
      { ...paid, targetAmount: decimal("5.0") },
      asSigners,
    );
    network.collectInitial(less);
    expect([network.balanceOf(pizzeria), network.balanceOf(alice)]).toEqual([decimal("5.0"), decimal("7.0")]);
  });

  test("fails if the lock holds less than the target", () => {
    const { network, payment } = withPayment();
    const { sandbox } = network;
    const paid = sandbox.payloadOf(SubscriptionInitialPayment, payment);
    const targetAmount = decimal("12.0000000001");
    const more = sandbox.create(
      SubscriptionInitialPayment,
      { ...paid, targetAmount },
      { actAs: network.signers },
    );
    expect(rejectionOf(() => network.collectInitial(more)).context).toMatchObject({
      error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
      requiredAmount: "0.0000000001",
    });
  });

  test("works once", () => {
    const { network, payment } = withPayment();
    network.collectInitial(payment);
    expectNotFound(() => network.collectInitial(payment));
  });
});

describe("SubscriptionInitialPayment_Reject", () => {
  const reject = (
    { network, payment }: Pick<ReturnType<typeof withPayment>, "network" | "payment">,
    { round = network.usableRound(), as = network.as(pizzeria) } = {},
  ) =>
    network.sandbox.exercise(
      SubscriptionInitialPayment,
      payment,
      "SubscriptionInitialPayment_Reject",
      { transferContext: network.appContext(round) },
      as,
    );

  test("gives the coin back as it was locked, and leaves a tombstone", () => {
    const paid = withPayment();
    const { network, request } = paid;
    const { sandbox, dso, pizzaData } = network;
    // The context only says which round to report: it may be another one, even one that is not open yet.
    const later = network.advanceRounds(decimal("0.01"));
    expect(later.payload.opensAt > sandbox.now).toBe(true);
    const { amuletSum } = reject(paid, { round: later });
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionInitialPayment", "LockedAmulet"],
      created: ["TerminatedSubscription", "Amulet"],
    });
    expect(amuletSum).toEqual({
      amulet: amuletSum.amulet,
      amuletPrice: decimal("0.01"),
      round: { number: 3n },
    });
    expect(sandbox.payloadOf(Amulet, amuletSum.amulet)).toEqual(
      coin({ dso, owner: alice, amount: "12.0", round: 1n }),
    );
    expect(sandbox.active(TerminatedSubscription).map(({ payload }) => payload)).toEqual([
      { subscriptionData: pizzaData, reference: request },
    ]);
  });

  test("reads the round as the sender", () => {
    const paid = withPayment();
    reject(paid);
    expect(exercisesOf(paid.network.sandbox)).toEqual([
      ["SubscriptionInitialPayment_Reject", [pizzeria]],
      ["LockedAmulet_UnlockV2", [alice, laFamiglia, pizzeria]],
      ["OpenMiningRound_Fetch", [alice]],
    ]);
  });

  test("needs the receiver, with any other parties", () => {
    const paid = withPayment();
    expectUnauthorized(() => reject(paid, { as: paid.network.as(alice, laFamiglia) }));
  });

  test("needs a round of the same DSO", () => {
    const paid = withPayment();
    const round = foreignRound(paid.network);
    expectOtherGroup("OpenMiningRound", () => reject(paid, { round }));
  });

  test("needs an active round", () => {
    const paid = withPayment();
    const { network } = paid;
    const archived = network.openRound(0n);
    network.advanceRounds();
    expectNotFound(() => reject(paid, { round: archived }));
  });
});

describe("SubscriptionInitialPayment_Expire", () => {
  const deadline = time("2026-01-01T00:20:00Z");
  const expire = (
    { network, payment }: Pick<ReturnType<typeof withPayment>, "network" | "payment">,
    { actor = alice, actAs = [actor] }: { actor?: PartyId; actAs?: readonly PartyId[] } = {},
  ) =>
    network.sandbox.exercise(
      SubscriptionInitialPayment,
      payment,
      "SubscriptionInitialPayment_Expire",
      { actor, transferContext: network.appContext() },
      network.as(...actAs),
    );

  test("is refused a microsecond before the lock's deadline", () => {
    const paid = withPayment();
    paid.network.sandbox.now = addDuration(deadline, -1n);
    expectTooEarly("Lock.expiresAt", () => expire(paid));
  });

  test.each([
    ["sender", alice],
    ["receiver", pizzeria],
    ["app", laFamiglia],
  ])("gives the coin back from the lock's deadline on, to the %s", (_role, actor) => {
    const paid = withPayment();
    const { network, request } = paid;
    const { sandbox, dso, pizzaData } = network;
    sandbox.now = deadline;
    const { amuletSum } = expire(paid, { actor });
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionInitialPayment", "LockedAmulet"],
      created: ["TerminatedSubscription", "Amulet"],
    });
    expect(amuletSum).toMatchObject({ amuletPrice: decimal("0.005"), round: { number: 2n } });
    expect(sandbox.payloadOf(Amulet, amuletSum.amulet)).toEqual(
      coin({ dso, owner: alice, amount: "12.0", round: 1n }),
    );
    expect(sandbox.active(TerminatedSubscription).map(({ payload }) => payload)).toEqual([
      { subscriptionData: pizzaData, reference: request },
    ]);
  });

  test("is exercised by signatories, with their own authority", () => {
    const paid = withPayment();
    paid.network.sandbox.now = deadline;
    expectUnmet(`Actor '${bob}' is a signatory`, () => expire(paid, { actor: bob, actAs: [bob, alice] }));
    expectUnauthorized(() => expire(paid, { actor: alice, actAs: [pizzeria] }));
  });
});
