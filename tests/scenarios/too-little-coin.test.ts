import { describe, expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";

function missing(outcome: Outcome): unknown {
  const { code, context } = rejection(outcome);
  return { code, errorId: context["error_id"], missing: context["requiredAmount"] };
}

describe("with too little coin", () => {
  test("a request is not accepted, says what is missing, and waits", () => {
    const scenario = new Scenario();
    const { alice } = scenario;
    const request = scenario.request(alice, { name: NAME });
    scenario.tap(alice, "199.9999999999");
    expect(missing(alice.accept(request))).toEqual({
      code: "DAML_FAILURE",
      errorId: "splice.lfdecentralizedtrust.org/insufficient-funds",
      missing: "0.0000000001",
    });
    expect(scenario.coinsOf(alice)).toEqual({ free: "199.9999999999", locked: "0.0" });
    expect(scenario.count(SubscriptionRequest)).toBe(1);
  });

  test("the same request is accepted once the coin suffices, to the last digit", () => {
    const scenario = new Scenario();
    const { alice } = scenario;
    const request = scenario.request(alice, { name: NAME });
    scenario.tap(alice, "199.9999999999");
    rejection(alice.accept(request));
    scenario.tap(alice, "0.0000000001");
    scenario.pay(alice, request);
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.0", locked: "200.0" });
    scenario.dso.settle();
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("a renewal is not paid; with enough before the due date it is, and the name goes on", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    scenario.register(alice, NAME, time("2026-02-01T12:00:00Z"));
    scenario.tap(alice, "120.5");
    network.advanceTo(time("2026-04-15T00:00:00Z"));
    const idle = network.only(SubscriptionIdleState).contractId;
    expect(missing(alice.payRenewal(idle))).toMatchObject({ missing: "79.5" });
    expect(network.only(SubscriptionIdleState).contractId).toBe(idle);
    scenario.tap(alice, "80.0");
    accepted(alice.payRenewal(idle));
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.5", locked: "200.0" });
    scenario.settleRenewals();
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.5", locked: "0.0" });
    expect(network.only(AnsEntry).payload.expiresAt).toBe(time("2026-07-31T12:00:00Z"));
  });

  test("a name whose renewal is never paid expires, and costs nothing", () => {
    const scenario = new Scenario();
    const { alice, network, dso } = scenario;
    scenario.register(alice, NAME, time("2026-02-01T12:00:00Z"));
    scenario.tap(alice, "199.0");
    network.advanceTo(time("2026-05-02T12:00:00.000001Z"));
    dso.settle();
    expect(scenario.ownerOf(NAME)).toBeNull();
    expect(scenario.coinsOf(alice)).toEqual({ free: "199.0", locked: "0.0" });
    for (const template of [AnsEntry, SubscriptionIdleState]) expect(scenario.count(template)).toBe(0);
  });
});
