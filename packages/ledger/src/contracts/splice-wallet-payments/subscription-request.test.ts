import { describe, expect, test } from "vitest";
import { expectNotFound, expectUnauthorized } from "../../../testing/rejection.ts";
import {
  alice,
  coin,
  laFamiglia,
  pizzaPayData,
  pizzeria,
  SubscriptionNetwork,
  validator,
} from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { time } from "../../values/time.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "./declarations/subscriptions.ts";

function withRequest() {
  const network = new SubscriptionNetwork();
  return { network, request: network.requestSubscription() };
}

describe.each([
  ["SubscriptionRequest_Reject", alice, [pizzeria, laFamiglia]],
  ["SubscriptionRequest_Withdraw", pizzeria, [alice, laFamiglia]],
] as const)("%s", (choice, controller, others) => {
  test("ends the request and leaves a tombstone that names it", () => {
    const { network, request } = withRequest();
    const { sandbox } = network;
    const result = sandbox.exercise(SubscriptionRequest, request, choice, {}, { actAs: [controller] });
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionRequest"],
      created: ["TerminatedSubscription"],
    });
    expect(sandbox.payloadOf(TerminatedSubscription, result.terminatedSubscription)).toEqual({
      subscriptionData: network.pizzaData,
      reference: request,
    });
  });

  test("is exercised by one party alone, and works once", () => {
    const { network, request } = withRequest();
    const run = (actAs: readonly PartyId[]) =>
      network.sandbox.exercise(SubscriptionRequest, request, choice, {}, { actAs });
    expectUnauthorized(() => run(others));
    run([controller]);
    expectNotFound(() => run([controller]));
  });
});

describe("SubscriptionRequest_AcceptAndMakePayment", () => {
  test("locks the amount, gives change, and records the payment with its round", () => {
    const { network, request } = withRequest();
    const { sandbox, dso } = network;
    const result = network.accept(request, { inputs: [network.tap(alice, "42.0")] });
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionRequest", "Amulet"],
      created: ["LockedAmulet", "Amulet", "SubscriptionInitialPayment"],
    });
    const payment = sandbox.payloadOf(SubscriptionInitialPayment, result.subscriptionPayment);
    expect(payment).toEqual({
      subscriptionData: network.pizzaData,
      payData: pizzaPayData,
      targetAmount: decimal("12.0"),
      lockedAmulet: payment.lockedAmulet,
      round: { number: 1n },
      reference: request,
    });
    expect(network.lockOf(payment.lockedAmulet)).toEqual({
      amulet: coin({ dso, owner: alice, amount: "12.0", round: 1n }),
      lock: {
        holders: [laFamiglia, pizzeria],
        expiresAt: time("2026-01-01T00:20:00Z"),
        optContext: "amulet-subscription: test subscription",
      },
    });
    expect(sandbox.active(Amulet)).toEqual([
      { contractId: result.senderChange, payload: coin({ dso, owner: alice, amount: "30.0", round: 1n }) },
    ]);
  });

  test("gives no change for a coin of exactly the amount", () => {
    const { network, request } = withRequest();
    const { senderChange } = network.accept(request, { inputs: [network.tap(alice, "12.0")] });
    expect(senderChange).toBeNull();
    expect(network.balanceOf(alice)).toBe(decimal("0.0"));
  });

  test("reads the round as the sender, in the open, then transfers with the wallet's host as provider", () => {
    const { network, request } = withRequest();
    network.accept(request, { inputs: [network.tap(alice, "12.0")] });
    expect(exercisesOf(network.sandbox)).toEqual([
      ["SubscriptionRequest_AcceptAndMakePayment", [alice, validator]],
      ["OpenMiningRound_Fetch", [alice]],
      ["AmuletRules_Transfer", [alice, laFamiglia, pizzeria, validator]],
      ["Archive", [network.dso, alice]],
    ]);
  });

  test.each([
    ["the sender alone", [alice]],
    ["the wallet's host alone", [validator]],
    ["receiver, app and the wallet's host", [pizzeria, laFamiglia, validator]],
  ])("is refused to %s", (_who, actAs) => {
    const { network, request } = withRequest();
    const as = { ...network.as(...actAs), readAs: [alice] };
    expectUnauthorized(() => network.accept(request, { inputs: [], as }));
  });

  test("needs rules and round disclosed", () => {
    const { network, request } = withRequest();
    const inputs = [network.tap(alice, "12.0")];
    expectNotFound(() => network.accept(request, { inputs, as: { actAs: [alice, validator] } }));
  });

  test("takes the sender as host of the own wallet", () => {
    const { network, request } = withRequest();
    const paying = { inputs: [network.tap(alice, "12.0")], walletProvider: alice, as: network.as(alice) };
    const { subscriptionPayment } = network.accept(request, paying);
    expect(network.sandbox.isActive(subscriptionPayment)).toBe(true);
  });

  test("works once", () => {
    const { network, request } = withRequest();
    const pay = () => network.accept(request, { inputs: [network.tap(alice, "12.0")] });
    pay();
    expectNotFound(pay);
  });
});
