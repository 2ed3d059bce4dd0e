import { expect, test } from "vitest";
import { expectOtherGroup, expectTooEarly, rejectionOf } from "../../../testing/rejection.ts";
import {
  alice,
  bob,
  inputAmulet,
  laFamiglia,
  type Paying,
  pizzaPayData,
  pizzeria,
  SubscriptionNetwork,
  validator,
} from "../../../testing/subscription-fixture.ts";
import { argumentsOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import {
  type SubscriptionData,
  SubscriptionInitialPayment,
  SubscriptionRequest,
} from "./declarations/subscriptions.ts";

/** Accepts a fresh request with a coin of exactly its amount. */
function lock(
  network: SubscriptionNetwork,
  paying: Partial<Paying> = {},
  data: Partial<SubscriptionData> = {},
) {
  const request = network.requestSubscription(data);
  const accepted = network.accept(request, { inputs: [network.tap(alice, "12.0")], ...paying });
  const payment = network.sandbox.payloadOf(SubscriptionInitialPayment, accepted.subscriptionPayment);
  return { payment, ...network.lockOf(payment.lockedAmulet) };
}

test.each([
  ["with the round's target closing time, while a tick from now is earlier", 1n, 0n, "00:20:00Z"],
  ["with it still, a microsecond before a tick from now catches up", 1n, 10n * MINUTE - 1n, "00:20:00Z"],
  ["with both, when they coincide", 1n, 10n * MINUTE, "00:20:00Z"],
  ["a tick from now, a microsecond later", 1n, 10n * MINUTE + 1n, "00:20:00.000001Z"],
  ["a tick from now, in a round that should have closed", 0n, 15n * MINUTE, "00:25:00Z"],
  ["with the closing time of a round that has just opened", 2n, 10n * MINUTE, "00:30:00Z"],
])("the lock ends %s", (_when, round, after, expected) => {
  const network = new SubscriptionNetwork();
  network.sandbox.advance(after);
  const locked = lock(network, { round: network.openRound(round) });
  expect(locked.lock.expiresAt).toBe(time(`2026-01-01T${expected}`));
  expect(locked.payment.round.number).toBe(round);
});

test.each([
  ["app and receiver in order", { provider: laFamiglia, receiver: pizzeria }, [laFamiglia, pizzeria]],
  ["receiver and app in order", { provider: pizzeria, receiver: laFamiglia }, [laFamiglia, pizzeria]],
  ["one party that is both", { provider: pizzeria, receiver: pizzeria }, [pizzeria]],
  ["the app alone, if the sender is the receiver", { receiver: alice }, [laFamiglia]],
  ["nobody, if the sender is all three", { receiver: alice, provider: alice }, []],
])("the lock is held by %s", (_who, roles, holders) => {
  expect(lock(new SubscriptionNetwork(), {}, roles).lock.holders).toEqual(holders);
});

test.each([
  ["in order", { provider: pizzeria, receiver: laFamiglia }, [laFamiglia, pizzeria]],
  ["once", { provider: pizzeria, receiver: pizzeria }, [pizzeria]],
  ["with the sender among them, whom the transfer leaves out", { receiver: alice }, [alice, laFamiglia]],
])("the transfer is asked for with the holders %s", (_how, roles, holders) => {
  const network = new SubscriptionNetwork();
  lock(network, {}, roles);
  const [transfer] = argumentsOf(network.sandbox, "AmuletRules_Transfer");
  expect(transfer).toMatchObject({ transfer: { outputs: [{ receiver: alice, lock: { holders } }] } });
});

test("the lock says what it is for", () => {
  const { lock: found } = lock(new SubscriptionNetwork(), {}, { description: 'two "large" pizzas' });
  expect(found.optContext).toBe('amulet-subscription: two "large" pizzas');
});

test("the round has to be open, to the microsecond", () => {
  const network = new SubscriptionNetwork();
  const round = network.openRound(2n);
  network.sandbox.now = addDuration(round.payload.opensAt, -1n);
  expectTooEarly("openRound.opensAt", () => lock(network, { round }));
  network.sandbox.advance(1n);
  expect(lock(network, { round }).payment.round.number).toBe(2n);
});

test("the round has to be of the same DSO", () => {
  const network = new SubscriptionNetwork();
  const payload = { ...network.usableRound().payload, dso: bob };
  const inputs = [network.tap(alice, "12.0")];
  const request = network.requestSubscription();
  const contractId = network.sandbox.create(OpenMiningRound, payload, { actAs: [bob] });
  expectOtherGroup("OpenMiningRound", () =>
    network.accept(request, { inputs, round: { contractId, payload } }),
  );
});

test("the rules have to be of the same DSO", () => {
  const network = new SubscriptionNetwork();
  const { sandbox } = network;
  const foreign = { ...sandbox.payloadOf(AmuletRules, network.amuletRules), dso: bob };
  const context = {
    ...network.paymentContext(),
    amuletRules: sandbox.create(AmuletRules, foreign, { actAs: [bob] }),
  };
  const argument = {
    inputs: [inputAmulet(network.tap(alice, "12.0"))],
    context,
    walletProvider: validator,
  };
  const request = network.requestSubscription();
  const choice = "SubscriptionRequest_AcceptAndMakePayment";
  const as = { ...network.as(alice, validator), readAs: [bob] };
  const { code, cause } = rejectionOf(() =>
    sandbox.exercise(SubscriptionRequest, request, choice, argument, as),
  );
  expect(code).toBe("DAML_FAILURE");
  expect(cause).toMatch(/DSO party expected by caller/);
});

test("the missing amount is reported when the coins do not cover the payment", () => {
  const network = new SubscriptionNetwork();
  const inputs = [network.tap(alice, "11.9999999999")];
  expect(rejectionOf(() => lock(network, { inputs }))).toMatchObject({
    code: "DAML_FAILURE",
    context: {
      error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
      requiredAmount: "0.0000000001",
    },
  });
});

test("another party's coin is not taken", () => {
  const network = new SubscriptionNetwork();
  const as = { ...network.as(alice, validator), readAs: [bob] };
  expectOtherGroup("Amulet", () => lock(network, { inputs: [network.tap(bob, "12.0")], as }));
});

test("a unit of a later version aborts", () => {
  const network = new SubscriptionNetwork();
  const paymentAmount = { amount: decimal("1.0"), unit: "ExtUnit" } as const;
  const request = network.requestSubscription({}, { ...pizzaPayData, paymentAmount });
  const { code, cause } = rejectionOf(() => network.accept(request, { inputs: [] }));
  expect(code).toBe("DAML_FAILURE");
  expect(cause).toMatch("ExtUnit: bare extension constructors are not allowed at runtime");
});

test("the wallet's host gets a marker for its own featured right, and none for another's", () => {
  const network = new SubscriptionNetwork();
  const { sandbox, dso, amuletRules } = network;
  const feature = (provider: PartyId) => {
    const as = network.as(provider);
    const choice = "AmuletRules_DevNet_FeatureApp";
    return sandbox.exercise(AmuletRules, amuletRules, choice, { provider }, as).featuredAppRightCid;
  };
  lock(network, { featuredAppRight: feature(validator) });
  const markers = sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload);
  expect(markers).toEqual([{ dso, provider: validator, beneficiary: validator, weight: decimal("1.0") }]);

  const as = { ...network.as(alice, validator), readAs: [laFamiglia] };
  const rejected = rejectionOf(() => lock(network, { featuredAppRight: feature(laFamiglia), as }));
  expect(rejected.code).toBe("DAML_FAILURE");
  expect(sandbox.active(FeaturedAppActivityMarker)).toHaveLength(1);
});
