import { describe, expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";

function registered(): Scenario {
  const scenario = new Scenario();
  scenario.register(scenario.alice, NAME, time("2026-02-01T12:00:00Z"));
  return scenario;
}

describe("a cancelled subscription", () => {
  test("leaves a tombstone, which an SV removes together with the context; the entry stays", () => {
    const scenario = registered();
    const { alice, network, dso } = scenario;
    accepted(alice.cancelSubscription(network.only(SubscriptionIdleState).contractId));
    expect(scenario.count(TerminatedSubscription)).toBe(1);
    for (const template of [SubscriptionIdleState, Subscription]) expect(scenario.count(template)).toBe(0);
    dso.settle();
    for (const template of [TerminatedSubscription, AnsEntryContext])
      expect(scenario.count(template)).toBe(0);
    expect(scenario.count(AnsEntry)).toBe(1);
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("keeps the name for its owner until it expires, and no longer", () => {
    const scenario = registered();
    const { alice, bob, network, dso } = scenario;
    accepted(alice.cancelSubscription(network.only(SubscriptionIdleState).contractId));
    dso.settle();
    network.advanceTo(time("2026-05-02T11:50:00Z"));
    scenario.tap(bob, "200.0");
    scenario.pay(bob, scenario.request(bob, { name: NAME }));
    dso.settle();
    expect(scenario.coinsOf(bob)).toEqual({ free: "200.0", locked: "0.0" });
    network.advanceTo(time("2026-05-02T12:00:00Z"));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    network.advanceTo(time("2026-05-02T12:00:00.000001Z"));
    expect(scenario.ownerOf(NAME)).toBeNull();
    scenario.pay(bob, scenario.request(bob, { name: NAME }));
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(bob.party);
    expect(scenario.coinsOf(bob)).toEqual({ free: "0.0", locked: "0.0" });
  });

  test("gives nothing back, and cannot be renewed", () => {
    const scenario = registered();
    const { alice, network } = scenario;
    const idle = network.only(SubscriptionIdleState).contractId;
    accepted(alice.cancelSubscription(idle));
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.0", locked: "0.0" });
    scenario.tap(alice, "200.0");
    network.advanceTo(time("2026-04-20T00:00:00Z"));
    expect(rejection(alice.payRenewal(idle)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
  });

  test("is refused while a payment is pending", () => {
    const scenario = registered();
    const { alice, network } = scenario;
    scenario.tap(alice, "200.0");
    network.advanceTo(time("2026-04-20T00:00:00Z"));
    const idle = network.only(SubscriptionIdleState).contractId;
    scenario.payRenewal(alice);
    expect(rejection(alice.cancelSubscription(idle)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.count(SubscriptionPayment)).toBe(1);
  });

  test("is refused to every wallet but the subscriber's", () => {
    const scenario = registered();
    const { bob, network } = scenario;
    const outcome = bob.cancelSubscription(network.only(SubscriptionIdleState).contractId);
    // The same validator may not even see it when it reads for bob alone.
    expect(rejection(outcome).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.count(SubscriptionIdleState)).toBe(1);
  });
});

describe("a request that its user rejects", () => {
  test("is archived with its context, and costs nothing", () => {
    const scenario = new Scenario();
    const { alice, dso } = scenario;
    accepted(alice.rejectRequest(scenario.request(alice, { name: NAME })));
    expect(scenario.count(TerminatedSubscription)).toBe(1);
    dso.settle();
    for (const template of [TerminatedSubscription, AnsEntryContext])
      expect(scenario.count(template)).toBe(0);
  });
});
