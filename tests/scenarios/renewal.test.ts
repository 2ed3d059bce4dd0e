/** The seed's fourth row: a renewal that is due and paid extends the entry by its lifetime. */
import { describe, expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { accepted, rejection, Scenario } from "./scenario.ts";

const NAME = "alice.unverified.cns";
const COLLECTED = time("2026-02-01T12:00:00Z");
/** Day 60 and day 90, and 90 days later. */
const WINDOW_OPENS = time("2026-04-02T12:00:00Z");
const EXPIRES = time("2026-05-02T12:00:00Z");
const EXPIRES_NEXT = time("2026-07-31T12:00:00Z");
const EXPIRES_THEN = time("2026-10-29T12:00:00Z");

function registered(): Scenario {
  const scenario = new Scenario();
  expect(scenario.register(scenario.alice, NAME, COLLECTED).payload.expiresAt).toBe(EXPIRES);
  scenario.tap(scenario.alice, "500.0");
  return scenario;
}

describe("a renewal", () => {
  test("cannot be paid a microsecond before day 60, and can from then on", () => {
    const scenario = registered();
    const { alice, network } = scenario;
    const idle = network.only(SubscriptionIdleState).contractId;
    const early = scenario.at(time("2026-04-02T11:59:59.999999Z"), () => alice.payRenewal(idle));
    expect(rejection(early).cause).toContain("The next due date is close enough to make the next payment.");
    expect(scenario.coinsOf(alice)).toEqual({ free: "500.0", locked: "0.0" });
    accepted(scenario.at(WINDOW_OPENS, () => alice.payRenewal(idle)));
    expect(scenario.coinsOf(alice)).toEqual({ free: "300.0", locked: "200.0" });
  });

  test("is collected by a single SV: 200 coins burned, and 90 days more from the old date, not from today", () => {
    const scenario = registered();
    const { alice, network } = scenario;
    const before = network.only(AnsEntry).contractId;
    scenario.at(WINDOW_OPENS, () => scenario.payRenewal(alice));
    network.advanceTo(time("2026-04-20T08:00:00Z"));
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    const entry = network.only(AnsEntry);
    expect(entry.payload).toEqual({
      user: alice.party,
      dso: network.dso,
      name: NAME,
      url: "",
      description: "",
      expiresAt: EXPIRES_NEXT,
    });
    expect(entry.contractId).not.toBe(before);
    expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(EXPIRES_NEXT);
    expect(scenario.coinsOf(alice)).toEqual({ free: "300.0", locked: "0.0" });
  });

  test("works to the last microsecond before the entry expires", () => {
    const scenario = registered();
    scenario.at(time("2026-05-02T11:59:59.999998Z"), () => scenario.payRenewal(scenario.alice));
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(scenario.network.now).toBe(time("2026-05-02T11:59:59.999999Z"));
    expect(scenario.network.only(AnsEntry).payload.expiresAt).toBe(EXPIRES_NEXT);
  });

  test("twice in a row keeps the dates, whenever it was paid in its window", () => {
    const scenario = registered();
    scenario.at(time("2026-05-02T11:59:00Z"), () => scenario.payRenewal(scenario.alice));
    scenario.settleRenewals();
    scenario.at(time("2026-07-01T12:00:00Z"), () => scenario.payRenewal(scenario.alice));
    scenario.settleRenewals();
    expect(scenario.network.only(AnsEntry).payload.expiresAt).toBe(EXPIRES_THEN);
    expect(scenario.coinsOf(scenario.alice)).toEqual({ free: "100.0", locked: "0.0" });
    expect(scenario.ownerOf(NAME)).toBe(scenario.alice.party);
  });

  test("costs what a dollar is worth in the round in which it is paid", () => {
    const scenario = registered();
    const { alice, dso, network } = scenario;
    for (const [i, sv] of dso.svs.entries()) accepted(sv.vote(decimal(i < 3 ? "0.3" : "0.5")));
    network.advanceTo(WINDOW_OPENS);
    dso.advanceRounds();
    // The round with the new price opens a tick after it was announced.
    network.advance(10n * MINUTE);
    scenario.payRenewal(alice);
    expect(scenario.coinsOf(alice)).toEqual({ free: "496.6666666667", locked: "3.3333333333" });
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(scenario.coinsOf(alice)).toEqual({ free: "496.6666666667", locked: "0.0" });
    expect(network.only(AnsEntry).payload.expiresAt).toBe(EXPIRES_NEXT);
  });
});
