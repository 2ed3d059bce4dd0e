/** Whole lives of subscriptions, after Splice's own scripts. */
import { expect, test } from "vitest";
import { expectUnmet } from "../../../testing/rejection.ts";
import {
  alice,
  laFamiglia,
  pizzaPayData,
  pizzeria,
  SubscriptionNetwork,
  validator,
} from "../../../testing/subscription-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { Amulet, FeaturedAppActivityMarker, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "./declarations/subscriptions.ts";

/** All of alice's coins, as a wallet would put them in. */
function coinsOf(network: SubscriptionNetwork, owner: PartyId): readonly ContractId[] {
  const coins = network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === owner);
  return coins.map(({ contractId }) => contractId);
}

function tombstones({ sandbox }: SubscriptionNetwork): readonly ContractId[] {
  return sandbox.active(TerminatedSubscription).map(({ payload }) => payload.reference);
}

test("a subscription is rejected, asked for again, lapses, is asked for again and is paid", () => {
  const network = new SubscriptionNetwork();
  const { sandbox } = network;
  network.tap(alice, "42.0");

  const rejected = network.requestSubscription();
  sandbox.exercise(SubscriptionRequest, rejected, "SubscriptionRequest_Reject", {}, { actAs: [alice] });
  expect(tombstones(network)).toEqual([rejected]);

  const lapsed = network.requestSubscription();
  const first = network.accept(lapsed, { inputs: coinsOf(network, alice) });
  expect(sandbox.isActive(lapsed)).toBe(false);
  sandbox.advance(21n * MINUTE);
  sandbox.exercise(
    SubscriptionInitialPayment,
    first.subscriptionPayment,
    "SubscriptionInitialPayment_Expire",
    { actor: alice, transferContext: network.appContext() },
    network.as(alice),
  );
  expect(tombstones(network)).toEqual([rejected, lapsed]);
  expect(network.balanceOf(alice)).toBe(decimal("42.0"));

  const request = network.requestSubscription();
  const second = network.accept(request, { inputs: coinsOf(network, alice) });
  const { subscription, subscriptionState, amulet } = network.collectInitial(second.subscriptionPayment);
  expect(sandbox.payloadOf(Amulet, amulet)).toMatchObject({
    owner: pizzeria,
    amount: { initialAmount: decimal("12.0") },
  });
  expect(network.balanceOf(alice)).toBe(decimal("30.0"));
  expect(sandbox.active(LockedAmulet)).toEqual([]);
  expect(sandbox.payloadOf(SubscriptionIdleState, subscriptionState)).toEqual({
    subscription,
    subscriptionData: network.pizzaData,
    payData: pizzaPayData,
    nextPaymentDueAt: time("2026-01-29T00:21:00Z"),
    reference: request,
  });
});

test("the first payment is not collected in a later round, and still in its own", () => {
  const network = new SubscriptionNetwork();
  const round = network.usableRound();
  const { subscriptionPayment } = network.accept(network.requestSubscription(), {
    inputs: [network.tap(alice, "42.0")],
  });
  network.advanceRounds();
  expectUnmet("Round at subscription request 1 matches round at collection 2", () =>
    network.collectInitial(subscriptionPayment),
  );
  network.collectInitial(subscriptionPayment, { round });
  expect(network.balanceOf(pizzeria)).toBe(decimal("12.0"));
});

test("a later payment is not collected in a later round, and still in its own", () => {
  const network = new SubscriptionNetwork();
  const { subscriptionState } = network.subscribe();
  network.sandbox.advance(27n * DAY);
  network.advanceRounds();
  network.advanceRounds();
  const round = network.usableRound();
  const { subscriptionPayment } = network.makePayment(subscriptionState, {
    inputs: [network.tap(alice, "42.0")],
  });
  network.advanceRounds();
  const [at, now] = [round.payload.round.number, network.usableRound().payload.round.number];
  expectUnmet(`Round at subscription payment ${at} matches round at collection ${now}`, () =>
    network.collectPayment(subscriptionPayment),
  );
  network.collectPayment(subscriptionPayment, { round });
  expect(network.balanceOf(pizzeria)).toBe(decimal("24.0"));
});

/** Advances until the newest usable round has the price. */
function advanceToPrice(network: SubscriptionNetwork, price: string): void {
  const { payload } = network.advanceRounds(decimal(price));
  network.sandbox.now = payload.opensAt;
  expect(network.usableRound().payload).toEqual(payload);
}

test("a dollar costs what it costs in the round it is locked in, and apps are marked for their own leg", () => {
  const network = new SubscriptionNetwork();
  const { sandbox, dso } = network;
  const feature = (provider: PartyId) =>
    sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_DevNet_FeatureApp",
      { provider },
      network.as(provider),
    ).featuredAppRightCid;
  const ofValidator = feature(validator);
  const ofApp = feature(laFamiglia);
  const markers = () => sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload);
  const marker = (provider: PartyId) => ({ dso, provider, beneficiary: provider, weight: decimal("1.0") });

  // 0.5 at a price of 2, then 1 at 1, then 2 at 0.5: what she taps is used up to the last digit.
  network.tap(alice, "3.5");
  const dollar = { ...pizzaPayData, paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" } as const };

  advanceToPrice(network, "2.0");
  const first = network.accept(network.requestSubscription({}, dollar), {
    inputs: coinsOf(network, alice),
    featuredAppRight: ofValidator,
  });
  expect(markers()).toEqual([marker(validator)]);
  const started = network.collectInitial(first.subscriptionPayment, { featuredAppRight: ofApp });
  expect(markers()).toEqual([marker(validator), marker(laFamiglia)]);
  expect([network.balanceOf(pizzeria), network.balanceOf(alice)]).toEqual([decimal("0.5"), decimal("3.0")]);

  sandbox.now = addDuration(sandbox.now, 27n * DAY);
  advanceToPrice(network, "1.0");
  const second = network.makePayment(started.subscriptionState, { inputs: coinsOf(network, alice) });
  const renewed = network.collectPayment(second.subscriptionPayment, { featuredAppRight: ofApp });
  expect(markers()).toEqual([marker(validator), marker(laFamiglia), marker(laFamiglia)]);
  expect([network.balanceOf(pizzeria), network.balanceOf(alice)]).toEqual([decimal("1.5"), decimal("2.0")]);

  sandbox.now = addDuration(sandbox.now, 28n * DAY);
  advanceToPrice(network, "0.5");
  const third = network.makePayment(renewed.subscriptionState, { inputs: coinsOf(network, alice) });
  expect(third.senderChange).toBeNull();
  network.collectPayment(third.subscriptionPayment);
  expect(markers()).toHaveLength(3);
  expect([network.balanceOf(pizzeria), network.balanceOf(alice)]).toEqual([decimal("3.5"), decimal("0.0")]);
  expect(coinsOf(network, alice)).toEqual([]);
});

test("the locked amount stays the same although the price changes before it is collected", () => {
  const network = new SubscriptionNetwork();
  const round = network.usableRound();
  const dollar = { ...pizzaPayData, paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" } as const };
  const request = network.requestSubscription({}, dollar);
  const { subscriptionPayment } = network.accept(request, { inputs: [network.tap(alice, "200.0")] });
  network.advanceRounds(decimal("1.0"));
  network.collectInitial(subscriptionPayment, { round });
  expect(network.balanceOf(pizzeria)).toBe(decimal("200.0"));
});
