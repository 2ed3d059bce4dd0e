/** The seed's fifth row: without a renewal the entry expires, and the name is free. */
import { describe, expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";
const EXPIRES = time("2026-05-02T12:00:00Z");

function lapsed(): Scenario {
  const scenario = new Scenario();
  scenario.register(scenario.alice, NAME, time("2026-02-01T12:00:00Z"));
  scenario.network.advanceTo(time("2026-05-02T12:00:00.000001Z"));
  return scenario;
}

describe("a name that was not renewed", () => {
  test("is removed by any SV, with its subscription and its context", () => {
    const scenario = lapsed();
    scenario.dso.settle();
    for (const template of [AnsEntry, AnsEntryContext, Subscription, SubscriptionIdleState]) {
      expect(scenario.count(template)).toBe(0);
    }
  });

  test("can be registered by another party though the expired entry is still there", () => {
    const scenario = lapsed();
    const { alice, bob, network, dso } = scenario;
    dso.advanceRounds();
    const entry = scenario.register(bob, NAME, time("2026-05-02T12:30:00Z"));
    expect(entry.payload.expiresAt).toBe(time("2026-07-31T12:30:00Z"));
    const both = network
      .active(AnsEntry, network.dso)
      .map(({ payload }) => [payload.user, payload.expiresAt]);
    expect(both).toEqual([
      [alice.party, EXPIRES],
      [bob.party, entry.payload.expiresAt],
    ]);
    expect(scenario.ownerOf(NAME)).toBe(bob.party);
    expect(scenario.namesOf(alice)).toEqual([]);
    expect(scenario.coinsOf(bob)).toEqual({ free: "0.0", locked: "0.0" });
    dso.settle();
    expect(network.active(AnsEntry, network.dso).map(({ payload }) => payload.user)).toEqual([bob.party]);
  });

  test("belongs to its old owner again only if that owner registers it anew", () => {
    const scenario = lapsed();
    const { alice, dso } = scenario;
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBeNull();
    scenario.register(alice, NAME, time("2026-05-02T12:30:00Z"));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("cannot be restored by the old subscription once another party has it", () => {
    const scenario = lapsed();
    const { alice, bob, network, dso } = scenario;
    dso.advanceRounds();
    scenario.register(bob, NAME, time("2026-05-02T12:30:00Z"));
    scenario.tap(alice, "200.0");
    // The ledger takes a payment for the old subscription, however late.
    const old = network
      .active(SubscriptionIdleState, network.dso)
      .find(({ payload }) => payload.subscriptionData.sender === alice.party);
    if (old === undefined) throw new Error("alice's subscription is still there");
    alice.payRenewal(old.contractId);
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.0", locked: "200.0" });
    expect(scenario.settleRenewals()).toEqual(["return"]);
    expect(scenario.coinsOf(alice)).toEqual({ free: "200.0", locked: "0.0" });
    expect(scenario.ownerOf(NAME)).toBe(bob.party);
  });
});
