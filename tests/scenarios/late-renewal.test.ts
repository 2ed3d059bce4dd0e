import { describe, expect, test } from "vitest";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decideAutoRenewal } from "../../packages/ledger/src/names/auto-renewal.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { EXPIRES, NAME, registeredWithCoin } from "./registered-name.ts";
import { accepted, rejection } from "./scenario.ts";

describe("a renewal paid after its due date", () => {
  test("is never made by a wallet on its own, though the ledger would lock the coin", () => {
    const scenario = registeredWithCoin();
    const { network, alice } = scenario;
    network.advanceTo(EXPIRES);
    const { nextPaymentDueAt, payData } = network.only(SubscriptionIdleState).payload;
    const decision = decideAutoRenewal({
      now: network.now,
      nextPaymentDueAt,
      paymentDuration: payData.paymentDuration.microseconds,
      autoRenew: true,
      entryExpired: false,
    });
    expect(decision).toEqual({ kind: "never", reason: "due date passed" });
    scenario.payRenewal(alice);
    expect(scenario.coinsOf(alice)).toEqual({ free: "50.0", locked: "200.0" });
  });

  test("is returned at once, the same coin, and the subscription is unchanged", () => {
    const scenario = registeredWithCoin();
    const { alice, network } = scenario;
    network.advanceTo(time("2026-05-09T00:00:00Z"));
    const idle = network.only(SubscriptionIdleState).payload;
    scenario.payRenewal(alice);
    const locked = network.only(LockedAmulet).payload.amulet;
    expect(scenario.settleRenewals()).toEqual(["return"]);
    expect(scenario.coinsOf(alice)).toEqual({ free: "250.0", locked: "0.0" });
    expect(network.active(Amulet, alice.party).map(({ payload }) => payload)).toContainEqual(locked);
    expect(network.only(SubscriptionIdleState).payload).toEqual(idle);
    expect(scenario.ownerOf(NAME)).toBeNull();
  });

  test("or not collected before it is returned from the microsecond in which it is due on, and not before", () => {
    const scenario = registeredWithCoin();
    const { alice, network, dso } = scenario;
    network.advanceTo(time("2026-05-02T11:55:00Z"));
    scenario.payRenewal(alice);
    const [decision] = dso.decideRenewals();
    if (decision?.kind !== "collect") throw new Error("it can still be collected");
    const giveBack = () => {
      const outcome = scenario
        .sv(2)
        .carryOutRenewal({ ...decision, kind: "return", reason: "entry expired" });
      if (outcome === null) throw new Error("it is to be given back");
      return outcome;
    };
    const early = scenario.at(time("2026-05-02T11:59:59.999999Z"), giveBack);
    expect(rejection(early).cause).toContain("Renewal can no longer be collected");
    accepted(scenario.at(EXPIRES, giveBack));
    expect(scenario.coinsOf(alice)).toEqual({ free: "250.0", locked: "0.0" });
  });

  test("does not save the name: entry and subscription expire", () => {
    const scenario = registeredWithCoin();
    const { alice, network, dso } = scenario;
    network.advanceTo(time("2026-05-09T00:00:00Z"));
    scenario.payRenewal(alice);
    dso.settle();
    for (const template of [
      SubscriptionPayment,
      SubscriptionIdleState,
      Subscription,
      AnsEntryContext,
      AnsEntry,
    ]) {
      expect(scenario.count(template)).toBe(0);
    }
    expect(scenario.coinsOf(alice)).toEqual({ free: "250.0", locked: "0.0" });
  });
});
