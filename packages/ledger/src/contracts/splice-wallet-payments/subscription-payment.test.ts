import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
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
  showPizza,
} from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, type Time, time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { Subscription, SubscriptionIdleState, SubscriptionPayment } from "./declarations/subscriptions.ts";

/** Subscribed at 2026-01-01T00:00:00Z; paid half a day early in round 2; the lock ends ten minutes later. */
const due = time("2026-01-29T00:00:00Z");
const paidAt = time("2026-01-28T12:00:00Z");
const deadline = time("2026-01-28T12:10:00Z");

function withPayment() {
  const network = new SubscriptionNetwork();
  const { request, subscription, subscriptionState } = network.subscribe();
  network.sandbox.now = paidAt;
  const inputs = [network.tap(alice, "12.0")];
  const { subscriptionPayment } = network.makePayment(subscriptionState, { inputs });
  return { network, request, subscription, payment: subscriptionPayment, round: network.usableRound() };
}
type Paid = Pick<ReturnType<typeof withPayment>, "network" | "payment">;

/** A payment that all three sign, but that points to a subscription with other data. */
function mismatched(): Paid {
  const { network, request, payment } = withPayment();
  const { sandbox, signers } = network;
  const subscriptionData = { ...network.pizzaData, description: "another subscription" };
  const other = sandbox.create(Subscription, { subscriptionData, reference: request }, { actAs: signers });
  const payload = { ...sandbox.payloadOf(SubscriptionPayment, payment), subscription: other };
  return { network, payment: sandbox.create(SubscriptionPayment, payload, { actAs: signers }) };
}

function expectMismatch(submit: () => unknown): void {
  expect(rejectionOf(submit).cause).toBe(
    `${GENERAL_ERROR}Contract mismatch: expected ${showPizza("test subscription")}, ` +
      `got ${showPizza("another subscription")} referenced by <contract-id>`,
  );
}

function expectIdleUntil(
  { network, request, subscription }: ReturnType<typeof withPayment>,
  nextPaymentDueAt: Time,
): void {
  expect(network.sandbox.active(SubscriptionIdleState).map(({ payload }) => payload)).toEqual([
    {
      subscription,
      subscriptionData: network.pizzaData,
      payData: pizzaPayData,
      nextPaymentDueAt,
      reference: request,
    },
  ]);
}

describe("SubscriptionPayment_Collect", () => {
  test.each([
    ["before the due date", paidAt],
    ["at the due date", due],
    ["after the due date", time("2026-01-30T01:02:03.000004Z")],
  ])("pays the receiver and moves the due date by an interval from the last one, %s", (_when, now) => {
    const paid = withPayment();
    const { network } = paid;
    const { sandbox, dso } = network;
    sandbox.now = now;
    const result = network.collectPayment(paid.payment);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionPayment", "LockedAmulet"],
      created: ["SubscriptionIdleState", "Amulet"],
    });
    expectIdleUntil(paid, time("2026-02-26T00:00:00Z"));
    expect(sandbox.payloadOf(Amulet, result.amulet)).toEqual(
      coin({ dso, owner: pizzeria, amount: "12.0", round: 2n }),
    );
    expect(sandbox.isActive(result.subscriptionState)).toBe(true);
  });

  test("reads the round as the app, in the open, and transfers with the app as provider", () => {
    const { network, payment } = withPayment();
    network.collectPayment(payment);
    expect(exercisesOf(network.sandbox)).toEqual([
      ["SubscriptionPayment_Collect", network.signers],
      ["OpenMiningRound_Fetch", [laFamiglia]],
      ["LockedAmulet_UnlockV2", [alice, laFamiglia, pizzeria]],
      ["AmuletRules_Transfer", [alice, laFamiglia, pizzeria]],
      ["Archive", [network.dso, alice]],
    ]);
  });

  test("works in the round of the payment only", () => {
    const { network, payment, round } = withPayment();
    expectUnmet("Round at subscription payment 2 matches round at collection 1", () =>
      network.collectPayment(payment, { round: network.openRound(1n) }),
    );
    const later = network.advanceRounds();
    network.sandbox.now = later.payload.opensAt;
    expectUnmet("Round at subscription payment 2 matches round at collection 3", () =>
      network.collectPayment(payment),
    );
    network.collectPayment(payment, { round });
    expect(network.balanceOf(pizzeria)).toBe(decimal("24.0"));
  });

  test("needs a round of the same DSO", () => {
    const { network, payment } = withPayment();
    const payload = { ...network.usableRound().payload, dso: bob };
    const contractId = network.sandbox.create(OpenMiningRound, payload, { actAs: [bob] });
    expectOtherGroup("OpenMiningRound", () =>
      network.collectPayment(payment, { round: { contractId, payload } }),
    );
  });

  test("needs all three signatories", () => {
    const { network, payment } = withPayment();
    for (const missing of network.signers) {
      const others = network.signers.filter((party) => party !== missing);
      expectUnauthorized(() => network.collectPayment(payment, { as: network.as(...others) }));
    }
  });

  test("is refused if the subscription has other data", () => {
    const { network, payment } = mismatched();
    expectMismatch(() => network.collectPayment(payment));
  });

  test("works once", () => {
    const { network, payment } = withPayment();
    network.collectPayment(payment);
    expectNotFound(() => network.collectPayment(payment));
  });
});

describe("SubscriptionPayment_Reject", () => {
  const reject = ({ network, payment }: Paid, actAs: readonly PartyId[] = [pizzeria]) =>
    network.sandbox.exercise(
      SubscriptionPayment,
      payment,
      "SubscriptionPayment_Reject",
      { transferContext: network.appContext() },
      network.as(...actAs),
    );

  test("gives the coin back as it was locked and leaves the due date where it was", () => {
    const paid = withPayment();
    const { sandbox, dso } = paid.network;
    const { amuletSum, subscriptionState } = reject(paid);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionPayment", "LockedAmulet"],
      created: ["SubscriptionIdleState", "Amulet"],
    });
    expectIdleUntil(paid, due);
    expect(sandbox.isActive(subscriptionState)).toBe(true);
    expect(amuletSum).toMatchObject({ amuletPrice: decimal("0.005"), round: { number: 2n } });
    expect(sandbox.payloadOf(Amulet, amuletSum.amulet)).toEqual(
      coin({ dso, owner: alice, amount: "12.0", round: 2n }),
    );
    expect(exercisesOf(sandbox)).toEqual([
      ["SubscriptionPayment_Reject", [pizzeria]],
      ["LockedAmulet_UnlockV2", [alice, laFamiglia, pizzeria]],
      ["OpenMiningRound_Fetch", [alice]],
    ]);
  });

  test("needs the receiver, with any other parties", () => {
    expectUnauthorized(() => reject(withPayment(), [alice, laFamiglia]));
  });

  test("is refused if the subscription has other data", () => {
    expectMismatch(() => reject(mismatched()));
  });
});

describe("SubscriptionPayment_Expire", () => {
  const expire = (
    { network, payment }: Paid,
    { actor = alice, actAs = [actor] }: { actor?: PartyId; actAs?: readonly PartyId[] } = {},
  ) =>
    network.sandbox.exercise(
      SubscriptionPayment,
      payment,
      "SubscriptionPayment_Expire",
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
  ])(
    "gives the coin back from the lock's deadline on, for the %s, with the due date unchanged",
    (_role, actor) => {
      const paid = withPayment();
      const { sandbox, dso } = paid.network;
      sandbox.now = deadline;
      const { amuletSum } = expire(paid, { actor });
      expect(changesOf(sandbox)).toEqual({
        archived: ["SubscriptionPayment", "LockedAmulet"],
        created: ["SubscriptionIdleState", "Amulet"],
      });
      expectIdleUntil(paid, due);
      expect(sandbox.payloadOf(Amulet, amuletSum.amulet)).toEqual(
        coin({ dso, owner: alice, amount: "12.0", round: 2n }),
      );
    },
  );

  test("is exercised by signatories, with their own authority", () => {
    const paid = withPayment();
    paid.network.sandbox.now = deadline;
    expectUnmet(`Actor '${bob}' is a signatory`, () => expire(paid, { actor: bob, actAs: [bob, alice] }));
    expectUnauthorized(() => expire(paid, { actor: alice, actAs: [pizzeria] }));
  });

  test("is refused if the subscription has other data", () => {
    const paid = mismatched();
    paid.network.sandbox.now = deadline;
    expectMismatch(() => expire(paid));
  });
});
