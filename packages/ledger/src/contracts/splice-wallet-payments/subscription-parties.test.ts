import { describe, expect, test } from "vitest";
import { expectUnauthorized, PRECONDITION_FAILED, rejectionOf } from "../../../testing/rejection.ts";
import { alice, pizzaPayData, SubscriptionNetwork } from "../../../testing/subscription-fixture.ts";
import type { AnyTemplateDeclaration } from "../../engine/declaration.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  type SubscriptionPayData,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "./declarations/subscriptions.ts";

/** A payload for each template; what its contract ids point to does not matter for creating it. */
function payload(network: SubscriptionNetwork, payData: SubscriptionPayData = pizzaPayData) {
  const someCid: ContractId = network.amuletRules;
  return {
    subscriptionData: network.pizzaData,
    payData,
    reference: someCid,
    subscription: someCid,
    lockedAmulet: someCid,
    targetAmount: decimal("12.0"),
    round: { number: 1n },
    nextPaymentDueAt: network.sandbox.now,
    thisPaymentDueAt: network.sandbox.now,
  };
}

const withPayData: readonly AnyTemplateDeclaration[] = [
  SubscriptionRequest,
  SubscriptionInitialPayment,
  SubscriptionIdleState,
  SubscriptionPayment,
];
const all = [...withPayData, Subscription, TerminatedSubscription];
const named = (templates: readonly AnyTemplateDeclaration[]) =>
  templates.map((template) => [template.entity, template] as const);

describe.each(named(all))("%s", (_entity, template) => {
  test("is signed by sender, receiver and provider, and not by the DSO", () => {
    const network = new SubscriptionNetwork();
    network.sandbox.create(template, payload(network), { actAs: network.signers });
    const [created] = network.sandbox.lastTransaction?.nodes ?? [];
    expect(created).toMatchObject({ signatories: network.signers, observers: [] });
  });

  test("lacks no signature", () => {
    const network = new SubscriptionNetwork();
    for (const missing of network.signers) {
      const actAs = network.signers.filter((party) => party !== missing);
      expectUnauthorized(() => network.sandbox.create(template, payload(network), { actAs }));
    }
  });

  test("has each signatory once, though one party may play two roles", () => {
    const network = new SubscriptionNetwork();
    const { dso } = network;
    const data = { ...network.pizzaData, receiver: dso, provider: dso };
    const both = { ...payload(network), subscriptionData: data };
    network.sandbox.create(template, both, { actAs: [alice, dso] });
    const [created] = network.sandbox.lastTransaction?.nodes ?? [];
    expect(created).toMatchObject({ signatories: [alice, dso] });
  });
});

const { paymentAmount } = pizzaPayData;
const invalid: readonly (readonly [string, SubscriptionPayData])[] = [
  ["no amount", { ...pizzaPayData, paymentAmount: { ...paymentAmount, amount: decimal("0.0") } }],
  [
    "a negative amount",
    { ...pizzaPayData, paymentAmount: { ...paymentAmount, amount: decimal("-0.0000000001") } },
  ],
  ["no interval", { ...pizzaPayData, paymentInterval: { microseconds: 0n } }],
  ["a negative interval", { ...pizzaPayData, paymentInterval: { microseconds: -1n } }],
  ["no window to pay in", { ...pizzaPayData, paymentDuration: { microseconds: 0n } }],
  ["a negative window", { ...pizzaPayData, paymentDuration: { microseconds: -1n } }],
];
const smallest: SubscriptionPayData = {
  paymentAmount: { ...paymentAmount, amount: decimal("0.0000000001") },
  paymentInterval: { microseconds: 1n },
  paymentDuration: { microseconds: 1n },
};

describe.each(named(withPayData))("the terms of a %s", (_entity, template) => {
  test.each(invalid)("cannot have %s", (_what, payData) => {
    const network = new SubscriptionNetwork();
    const create = () =>
      network.sandbox.create(template, payload(network, payData), { actAs: network.signers });
    expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("may be as small as their types allow", () => {
    const network = new SubscriptionNetwork();
    network.sandbox.create(template, payload(network, smallest), { actAs: network.signers });
    expect(network.sandbox.active(template)).toHaveLength(1);
  });
});
