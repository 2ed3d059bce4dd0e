import { describe, expect, test } from "vitest";
import {
  expectNotFound,
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
  validator,
} from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
  TerminatedSubscription,
} from "./declarations/subscriptions.ts";

/** Subscribed at 2026-01-01T00:00:00Z, so the next payment is due 28 days later and payable a day before. */
const due = time("2026-01-29T00:00:00Z");

function subscribed() {
  const network = new SubscriptionNetwork();
  const { request, subscription, subscriptionState } = network.subscribe();
  return { network, request, subscription, state: subscriptionState };
}

/** A state that all three sign, but that points to a subscription with other data. */
function mismatched() {
  const { network, subscription, state } = subscribed();
  const asSigners = { actAs: network.signers };
  const { reference } = network.sandbox.payloadOf(Subscription, subscription);
  const subscriptionData = { ...network.pizzaData, description: "another subscription" };
  const other = network.sandbox.create(Subscription, { subscriptionData, reference }, asSigners);
  const payload = { ...network.sandbox.payloadOf(SubscriptionIdleState, state), subscription: other };
  return { network, state: network.sandbox.create(SubscriptionIdleState, payload, asSigners) };
}

function expectMismatch(submit: () => unknown): void {
  expect(rejectionOf(submit).cause).toBe(
    `${GENERAL_ERROR}Contract mismatch: expected ${showPizza("test subscription")}, ` +
      `got ${showPizza("another subscription")} referenced by <contract-id>`,
  );
}

describe("SubscriptionIdleState_MakePayment", () => {
  const pay = ({
    network,
    state,
  }: {
    network: SubscriptionNetwork;
    state: ReturnType<typeof subscribed>["state"];
  }) => network.makePayment(state, { inputs: [network.tap(alice, "42.0")] });

  test("locks the amount, gives change, and records the payment with its round and due date", () => {
    const paying = subscribed();
    const { network, request, subscription } = paying;
    const { sandbox, dso } = network;
    sandbox.now = time("2026-01-28T12:00:00Z");
    const result = pay(paying);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionIdleState", "Amulet"],
      created: ["LockedAmulet", "Amulet", "SubscriptionPayment"],
    });
    const payment = sandbox.payloadOf(SubscriptionPayment, result.subscriptionPayment);
    expect(payment).toEqual({
      subscription,
      subscriptionData: network.pizzaData,
      payData: pizzaPayData,
      thisPaymentDueAt: due,
      targetAmount: decimal("12.0"),
      lockedAmulet: payment.lockedAmulet,
      round: { number: 2n },
      reference: request,
    });
    expect(network.lockOf(payment.lockedAmulet)).toEqual({
      amulet: coin({ dso, owner: alice, amount: "12.0", round: 2n }),
      lock: {
        holders: [laFamiglia, pizzeria],
        expiresAt: time("2026-01-28T12:10:00Z"),
        optContext: "amulet-subscription: test subscription",
      },
    });
    expect(network.balanceOf(alice)).toBe(decimal("30.0"));
    expect(sandbox.isActive(subscription)).toBe(true);
    expect(exercisesOf(sandbox)).toEqual([
      ["SubscriptionIdleState_MakePayment", [alice, validator]],
      ["OpenMiningRound_Fetch", [alice]],
      ["AmuletRules_Transfer", [alice, laFamiglia, pizzeria, validator]],
      ["Archive", [dso, alice]],
    ]);
  });

  test("is refused a microsecond before the window opens", () => {
    const paying = subscribed();
    paying.network.sandbox.now = addDuration(due, -DAY - 1n);
    expectUnmet("The next due date is close enough to make the next payment.", () => pay(paying));
  });

  test.each([
    ["when the window opens", -DAY],
    ["at the due date", 0n],
    ["a microsecond after the due date", 1n],
    ["a year after the due date", 365n * DAY],
  ])("works %s", (_when, after) => {
    const paying = subscribed();
    paying.network.sandbox.now = addDuration(due, after);
    const { subscriptionPayment } = pay(paying);
    const payment = paying.network.sandbox.payloadOf(SubscriptionPayment, subscriptionPayment);
    expect(payment.thisPaymentDueAt).toBe(due);
  });

  test.each([
    ["the sender alone", [alice]],
    ["the wallet's host alone", [validator]],
    ["receiver, app and the wallet's host", [pizzeria, laFamiglia, validator]],
  ])("is refused to %s", (_who, actAs) => {
    const { network, state } = subscribed();
    const as = { ...network.as(...actAs), readAs: [alice] };
    expectUnauthorized(() => network.makePayment(state, { inputs: [], as }));
  });

  test("is refused if the subscription has other data", () => {
    const paying = mismatched();
    paying.network.sandbox.now = due;
    expectMismatch(() => pay(paying));
  });

  test("works once at a time", () => {
    const paying = subscribed();
    paying.network.sandbox.now = due;
    pay(paying);
    expectNotFound(() => pay(paying));
  });
});

describe("SubscriptionIdleState_ExpireSubscription", () => {
  const expire = (
    { network, state }: Pick<ReturnType<typeof subscribed>, "network" | "state">,
    { actor = pizzeria, actAs = [actor] }: { actor?: PartyId; actAs?: readonly PartyId[] } = {},
  ) =>
    network.sandbox.exercise(
      SubscriptionIdleState,
      state,
      "SubscriptionIdleState_ExpireSubscription",
      { actor },
      { actAs },
    );

  test.each([
    ["a microsecond before", -1n],
    ["at", 0n],
  ])("is refused %s the due date", (_when, after) => {
    const idle = subscribed();
    idle.network.sandbox.now = addDuration(due, after);
    expectUnmet("Last subscription payment was missed", () => expire(idle));
  });

  test.each([
    ["sender", alice],
    ["receiver", pizzeria],
    ["app", laFamiglia],
  ])("ends the subscription a microsecond after the due date, for the %s", (_role, actor) => {
    const idle = subscribed();
    const { network, request } = idle;
    network.sandbox.now = addDuration(due, 1n);
    const { terminatedSubscription } = expire(idle, { actor });
    expect(changesOf(network.sandbox)).toEqual({
      archived: ["SubscriptionIdleState", "Subscription"],
      created: ["TerminatedSubscription"],
    });
    expect(network.sandbox.payloadOf(TerminatedSubscription, terminatedSubscription)).toEqual({
      subscriptionData: network.pizzaData,
      reference: request,
    });
  });

  test("is exercised by signatories, with their own authority", () => {
    const idle = subscribed();
    idle.network.sandbox.now = addDuration(due, 1n);
    expectUnmet(`Actor '${bob}' is a signatory`, () => expire(idle, { actor: bob, actAs: [bob, alice] }));
    expectUnauthorized(() => expire(idle, { actor: alice, actAs: [pizzeria] }));
  });

  test("is refused if the subscription has other data", () => {
    const idle = mismatched();
    idle.network.sandbox.now = addDuration(due, 1n);
    expectMismatch(() => expire(idle));
  });
});

describe("SubscriptionIdleState_CancelSubscription", () => {
  const cancel = (
    { network, state }: Pick<ReturnType<typeof subscribed>, "network" | "state">,
    actAs: readonly PartyId[] = [alice],
  ) =>
    network.sandbox.exercise(
      SubscriptionIdleState,
      state,
      "SubscriptionIdleState_CancelSubscription",
      {},
      { actAs },
    );

  test.each([
    ["at once", -28n * DAY],
    ["long after the due date", 365n * DAY],
  ])("ends the subscription for its sender, %s", (_when, after) => {
    const idle = subscribed();
    const { network, request } = idle;
    network.sandbox.now = addDuration(due, after);
    const { terminatedSubscription } = cancel(idle);
    expect(changesOf(network.sandbox)).toEqual({
      archived: ["SubscriptionIdleState", "Subscription"],
      created: ["TerminatedSubscription"],
    });
    expect(network.sandbox.payloadOf(TerminatedSubscription, terminatedSubscription)).toEqual({
      subscriptionData: network.pizzaData,
      reference: request,
    });
  });

  test("needs the sender, with any other parties", () => {
    expectUnauthorized(() => cancel(subscribed(), [pizzeria, laFamiglia]));
  });

  test("is not possible while a payment waits to be collected", () => {
    const idle = subscribed();
    const { network, state } = idle;
    network.sandbox.now = due;
    network.makePayment(state, { inputs: [network.tap(alice, "12.0")] });
    expectNotFound(() => cancel(idle));
  });

  test("is refused if the subscription has other data", () => {
    expectMismatch(() => cancel(mismatched()));
  });
});
