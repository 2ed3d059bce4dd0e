/** The seed: a renewal is paid automatically if the user has enough coin and auto-renewal is enabled. */
import { describe, expect, test } from "vitest";
import { RenewalPreference } from "../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import { type AutoRenewalDecision, decideAutoRenewal } from "../../packages/ledger/src/names/auto-renewal.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { autoRenews } from "../../packages/ledger/testing/dso-actor.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";
const IN_THE_WINDOW = time("2026-04-10T00:00:00Z");

function registered() {
  const scenario = new Scenario();
  scenario.register(scenario.alice, NAME, time("2026-02-01T12:00:00Z"));
  scenario.tap(scenario.alice, "200.0");
  return { scenario, reference: scenario.network.only(SubscriptionIdleState).payload.reference };
}

/** The wallet's decision now, for the only subscription. */
function decide({ network }: Scenario): AutoRenewalDecision {
  const { nextPaymentDueAt, payData, reference } = network.only(SubscriptionIdleState).payload;
  return decideAutoRenewal({
    now: network.now,
    nextPaymentDueAt,
    paymentDuration: payData.paymentDuration.microseconds,
    autoRenew: autoRenews(network, reference),
    entryExpired: false,
  });
}

describe("auto-renewal", () => {
  test("is on by default: the wallet pays from day 60", () => {
    const { scenario } = registered();
    expect(decide(scenario)).toEqual({ kind: "wait", from: time("2026-04-02T12:00:00Z") });
    scenario.network.advanceTo(time("2026-04-02T12:00:00Z"));
    expect(decide(scenario)).toEqual({ kind: "pay" });
  });

  test("is switched off by the subscriber: the name lapses at its time, and no coin is touched", () => {
    const { scenario, reference } = registered();
    const { alice, network, dso } = scenario;
    accepted(alice.setAutoRenewal(reference, false));
    network.advanceTo(IN_THE_WINDOW);
    expect(decide(scenario)).toEqual({ kind: "never", reason: "auto-renewal off" });
    network.advanceTo(time("2026-05-02T12:00:00Z"));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    network.advanceTo(time("2026-05-02T12:00:00.000001Z"));
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBeNull();
    expect(scenario.coinsOf(alice)).toEqual({ free: "200.0", locked: "0.0" });
    expect(scenario.count(AnsEntry)).toBe(0);
  });

  test("is switched on again, or its preference removed: the wallet pays", () => {
    const { scenario, reference } = registered();
    const { alice, network } = scenario;
    accepted(alice.setAutoRenewal(reference, false));
    network.advanceTo(IN_THE_WINDOW);
    accepted(alice.setAutoRenewal(reference, true));
    expect(network.active(RenewalPreference)).toHaveLength(1);
    expect(decide(scenario)).toEqual({ kind: "pay" });
    accepted(alice.setAutoRenewal(reference, false));
    expect(decide(scenario).kind).toBe("never");
    for (const { contractId } of network.active(RenewalPreference))
      accepted(alice.removePreference(contractId));
    expect(decide(scenario)).toEqual({ kind: "pay" });
    scenario.payRenewal(alice);
    expect(scenario.settleRenewals()).toEqual(["collect"]);
  });

  test("does not keep the subscriber from paying by hand", () => {
    const { scenario, reference } = registered();
    accepted(scenario.alice.setAutoRenewal(reference, false));
    scenario.network.advanceTo(IN_THE_WINDOW);
    scenario.payRenewal(scenario.alice);
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(scenario.network.only(AnsEntry).payload.expiresAt).toBe(time("2026-07-31T12:00:00Z"));
  });

  test("cannot be switched by another party: its preference for the same subscription does not count", () => {
    const { scenario, reference } = registered();
    const { alice, bob, network } = scenario;
    accepted(bob.setAutoRenewal(reference, false));
    network.advanceTo(IN_THE_WINDOW);
    expect(decide(scenario)).toEqual({ kind: "pay" });
    const forged = { subscriber: alice.party, walletProvider: bob.member.party, reference, autoRenew: false };
    const outcome = network.submit(bob.member, {
      actAs: [bob.party],
      commands: [createCommand(RenewalPreference, forged)],
    });
    expect(rejection(outcome).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("belongs to one subscription: a name registered anew starts with renewal on", () => {
    const { scenario, reference } = registered();
    const { alice, network, dso } = scenario;
    accepted(alice.setAutoRenewal(reference, false));
    network.advanceTo(time("2026-05-02T12:00:00.000001Z"));
    dso.settle();
    scenario.register(alice, NAME, time("2026-06-01T00:00:00Z"));
    network.advanceTo(time("2026-08-15T00:00:00Z"));
    expect(decide(scenario)).toEqual({ kind: "pay" });
  });
});
