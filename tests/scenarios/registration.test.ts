/** The seed's first three rows: requested, paid, active. */
import { describe, expect, test } from "vitest";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { Confirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { actionToConfirm } from "../../packages/ledger/src/contracts/splice-dso-governance/payment-action.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { accepted, createdBy, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";
const CONTENT = { name: NAME, url: "https://alice.example/", description: "Alice's own" };

describe("a registration", () => {
  test("begins with a request and a context, for 1 USD every 90 days, payable 30 days ahead", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    const request = scenario.request(alice, CONTENT);
    expect(scenario.payload(SubscriptionRequest, request)).toEqual({
      subscriptionData: {
        sender: alice.party,
        receiver: network.dso,
        provider: network.dso,
        dso: network.dso,
        description: 'ANS entry: "alice.unverified.cns"',
      },
      payData: {
        paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" },
        paymentInterval: { microseconds: 7_776_000_000_000n },
        paymentDuration: { microseconds: 2_592_000_000_000n },
      },
    });
    expect(network.only(AnsEntryContext).payload).toEqual({
      dso: network.dso,
      user: alice.party,
      ...CONTENT,
      reference: request,
    });
    expect(scenario.ownerOf(NAME)).toBeNull();
  });

  test("locks 200 coins when the user accepts, until the round is due to close, with the DSO alone to hold them", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    scenario.tap(alice, "1000.0");
    const payment = scenario.pay(alice, scenario.request(alice, CONTENT));
    expect(scenario.coinsOf(alice)).toEqual({ free: "800.0", locked: "200.0" });
    expect(scenario.payload(SubscriptionInitialPayment, payment).targetAmount).toBe(decimal("200.0"));
    // Paid in the second round, which closes twenty minutes after the founding.
    expect(network.only(LockedAmulet).payload.lock).toEqual({
      holders: [network.dso],
      expiresAt: time("2026-01-01T00:20:00Z"),
      optContext: 'amulet-subscription: ANS entry: "alice.unverified.cns"',
    });
    expect(scenario.count(SubscriptionRequest)).toBe(0);
    expect(scenario.ownerOf(NAME)).toBeNull();
  });

  test("needs three of four SVs to confirm; then any of them executes, once", () => {
    const scenario = new Scenario();
    const { alice, dso, network } = scenario;
    scenario.tap(alice, "200.0");
    scenario.pay(alice, scenario.request(alice, CONTENT));
    const [decision] = dso.decideInitialPayments();
    if (decision?.kind !== "collect") throw new Error("the SVs collect the payment");
    const action = actionToConfirm(decision);
    const confirmations = [0, 1, 2].map((i) => createdBy(scenario.sv(i).confirm(action), Confirmation));
    const fourth = scenario.sv(3);
    const tooFew = fourth.execute(action, confirmations.slice(1));
    expect(rejection(tooFew).cause).toContain("Enough confirmations");
    accepted(fourth.execute(action, confirmations));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    expect(rejection(fourth.execute(action, confirmations)).code).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(network.active(AnsEntry)).toHaveLength(1);
  });

  test("needs confirmations that are less than an hour old", () => {
    const scenario = new Scenario();
    const { alice, dso } = scenario;
    const sv = scenario.sv();
    scenario.tap(alice, "200.0");
    scenario.pay(alice, scenario.request(alice, CONTENT));
    const [decision] = dso.decideInitialPayments();
    if (decision?.kind !== "collect") throw new Error("the SVs collect the payment");
    const action = actionToConfirm(decision);
    const confirmAt = (moment: string) => {
      return dso.svs.map((confirmer, i) => {
        const confirm = () => createdBy(confirmer.confirm(action), Confirmation);
        return i === 0 ? scenario.at(time(moment), confirm) : confirm();
      });
    };
    // The first of them lapses an hour later, and the others each a microsecond after it.
    const early = confirmAt("2026-01-01T00:01:00Z");
    const late = scenario.at(time("2026-01-01T01:01:00Z"), () => sv.execute(action, early));
    expect(rejection(late).cause).toContain("at or past deadline 'confirmation.expiresAt'");
    const again = confirmAt("2026-01-01T01:02:00Z");
    accepted(scenario.at(time("2026-01-01T02:01:59.999999Z"), () => sv.execute(action, again)));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
  });

  test("leaves entry, context, subscription and idle state, and nothing of the fee", () => {
    const scenario = new Scenario();
    const { alice, network } = scenario;
    scenario.tap(alice, "1000.0");
    scenario.pay(alice, scenario.request(alice, CONTENT));
    const entry = createdBy(scenario.decideAt(time("2026-01-01T00:15:00Z")), AnsEntry);
    expect(scenario.payload(AnsEntry, entry)).toEqual({
      user: alice.party,
      dso: network.dso,
      ...CONTENT,
      expiresAt: time("2026-04-01T00:15:00Z"),
    });
    expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(time("2026-04-01T00:15:00Z"));
    expect(scenario.coinsOf(alice)).toEqual({ free: "800.0", locked: "0.0" });
    const supply = network.active(Amulet).map(({ payload }) => payload.amount.initialAmount);
    expect(supply).toEqual([decimal("800.0")]);
    for (const template of [AnsEntryContext, Subscription]) expect(scenario.count(template)).toBe(1);
    for (const template of [SubscriptionInitialPayment, LockedAmulet])
      expect(scenario.count(template)).toBe(0);
    // All four confirmations were handed in.
    expect(scenario.count(Confirmation)).toBe(0);
  });

  test("can be looked up in both directions from then on", () => {
    const scenario = new Scenario();
    const { alice, bob } = scenario;
    scenario.register(alice, NAME, time("2026-01-01T00:15:00Z"));
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    expect(scenario.namesOf(alice)).toEqual([NAME]);
    expect(scenario.ownerOf("bob.unverified.cns")).toBeNull();
    expect(scenario.namesOf(bob)).toEqual([]);
  });
});
