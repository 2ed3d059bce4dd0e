import { describe, expect, test } from "vitest";
import { AnsEntryContext } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";

describe("a request that nobody answers", () => {
  test("waits for months, and can still be accepted", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    network.advance(200n * DAY);
    dso.settle();
    expect(scenario.count(SubscriptionRequest)).toBe(1);
    scenario.tap(alice, "200.0");
    scenario.pay(alice, request);
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("is withdrawn by any SV, together with its context: nothing is left", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    const request = scenario.request(alice, { name: NAME });
    network.advance(30n * DAY);
    accepted(scenario.sv(2).withdrawRequest(network.only(AnsEntryContext).contractId, request));
    for (const template of [SubscriptionRequest, AnsEntryContext, TerminatedSubscription]) {
      expect(scenario.count(template)).toBe(0);
    }
    scenario.tap(alice, "200.0");
    expect(rejection(alice.accept(request)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.coinsOf(alice)).toEqual({ free: "200.0", locked: "0.0" });
    // The name can be asked for again.
    scenario.pay(alice, scenario.request(alice, { name: NAME }));
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("is safe once it was accepted", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    const request = scenario.request(alice, { name: NAME });
    scenario.tap(alice, "200.0");
    scenario.pay(alice, request);
    const outcome = scenario.sv().withdrawRequest(network.only(AnsEntryContext).contractId, request);
    expect(rejection(outcome).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(scenario.count(SubscriptionInitialPayment)).toBe(1);
  });

  test("is not for others to withdraw", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    const request = scenario.request(alice, { name: NAME });
    const impostor = new SvActor(network, alice.member);
    const outcome = impostor.withdrawRequest(network.only(AnsEntryContext).contractId, request);
    // A validator may not read as the DSO, which it would need to see the contracts.
    expect(rejection(outcome).code).toBe("NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT");
    expect(scenario.count(SubscriptionRequest)).toBe(1);
  });
});
