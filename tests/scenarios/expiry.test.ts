/** The end of an entry at `expiresAt`, to the microsecond. */
import { describe, expect, test } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";
import { EXPIRES, NAME, registered } from "./registered-name.ts";

const JUST_BEFORE = time("2026-05-02T11:59:59.999999Z");
const JUST_AFTER = time("2026-05-02T12:00:00.000001Z");

describe("an entry is found", () => {
  test.each([
    ["a microsecond before it expires", JUST_BEFORE, true],
    ["in the very microsecond", EXPIRES, true],
    ["no longer one microsecond later", JUST_AFTER, false],
  ])("%s", (_when, moment, isFound) => {
    const { scenario } = registered();
    scenario.network.advanceTo(moment);
    expect(scenario.ownerOf(NAME)).toBe(isFound ? scenario.alice.party : null);
    expect(scenario.namesOf(scenario.alice)).toEqual(isFound ? [NAME] : []);
  });
});

describe("a name is free for others", () => {
  test.each([
    ["not in the microsecond in which it expires", EXPIRES, "reject"],
    ["one microsecond later", JUST_AFTER, "collect"],
  ])("%s", (_when, moment, decided) => {
    const { scenario } = registered();
    const { bob, dso, network } = scenario;
    network.advanceTo(time("2026-05-02T11:55:00Z"));
    scenario.tap(bob, "200.0");
    scenario.pay(bob, scenario.request(bob, { name: NAME }));
    network.advanceTo(moment);
    const decisions = dso.decideInitialPayments();
    expect(decisions.map(({ kind }) => kind)).toEqual([decided]);
    for (const decision of decisions) dso.carryOut(decision);
    const isBobs = decided === "collect";
    expect(scenario.ownerOf(NAME)).toBe(isBobs ? bob.party : null);
    expect(scenario.coinsOf(bob)).toEqual({ free: isBobs ? "0.0" : "200.0", locked: "0.0" });
  });
});

describe("a renewal that was paid in time is collected", () => {
  test.each([
    ["a microsecond before the entry expires", JUST_BEFORE, true],
    ["not in the very microsecond", EXPIRES, false],
  ])("%s", (_when, moment, isCollected) => {
    const { scenario } = registered();
    const { alice, dso, network } = scenario;
    network.advanceTo(time("2026-05-02T11:55:00Z"));
    scenario.tap(alice, "200.0");
    scenario.payRenewal(alice);
    const [decision] = dso.decideRenewals();
    if (decision?.kind !== "collect") throw new Error("it is not due yet");
    const outcome = scenario.at(moment, () => scenario.sv().carryOutRenewal(decision));
    expect(outcome?.verdict.kind).toBe(isCollected ? "accepted" : "rejected");
    expect(scenario.coinsOf(alice)).toEqual({ free: "0.0", locked: isCollected ? "0.0" : "200.0" });
    // The payment that came too late is returned.
    if (!isCollected) expect(scenario.settleRenewals()).toEqual(["return"]);
    if (!isCollected) expect(scenario.coinsOf(alice)).toEqual({ free: "200.0", locked: "0.0" });
  });
});
