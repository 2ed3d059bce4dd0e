import { describe, expect, test } from "vitest";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { TerminatedSubscription } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { Scenario } from "./scenario.ts";

const SOON = time("2026-01-01T00:15:00Z");

describe("a payment for an invalid entry is returned in full, and nothing is burned", () => {
  test.each([
    ["a dot in the name", { name: "bob.smith.unverified.cns" }],
    ["capital letters", { name: "Bob.unverified.cns" }],
    ["a label of 46 characters", { name: `${"b".repeat(46)}.unverified.cns` }],
    ["another network's suffix", { name: "bob.unverified.ans" }],
    ["a url that is not http", { name: "bob.unverified.cns", url: "s3://bucket" }],
    ["a url of 256 characters", { name: "bob.unverified.cns", url: `https://${"b".repeat(248)}` }],
    ["a description of 141 characters", { name: "bob.unverified.cns", description: "b".repeat(141) }],
  ])("%s", (_what, entry) => {
    const scenario = new Scenario();
    const { bob, network } = scenario;
    scenario.tap(bob, "200.0000000001");
    scenario.pay(bob, scenario.request(bob, entry));
    expect(scenario.coinsOf(bob)).toEqual({ free: "0.0000000001", locked: "200.0" });
    const locked = network.only(LockedAmulet).payload.amulet;
    scenario.decideAt(SOON);
    expect(scenario.coinsOf(bob)).toEqual({ free: "200.0000000001", locked: "0.0" });
    // The coin is the one that was locked, with its round and rate.
    expect(network.active(Amulet, bob.party).map(({ payload }) => payload)).toContainEqual(locked);
    expect(scenario.count(AnsEntry)).toBe(0);
    expect(scenario.count(TerminatedSubscription)).toBe(1);
    scenario.dso.settle();
    for (const template of [TerminatedSubscription, AnsEntryContext])
      expect(scenario.count(template)).toBe(0);
  });

  test("the longest name, url and description are fine", () => {
    const scenario = new Scenario();
    const { bob } = scenario;
    const name = `${"b".repeat(45)}.unverified.cns`;
    scenario.tap(bob, "200.0");
    const url = `https://${"b".repeat(247)}`;
    scenario.pay(bob, scenario.request(bob, { name, url, description: "b".repeat(140) }));
    scenario.decideAt(SOON);
    expect(scenario.ownerOf(name)).toBe(bob.party);
    expect(scenario.coinsOf(bob)).toEqual({ free: "0.0", locked: "0.0" });
  });
});

describe("two payments for one name", () => {
  test("the earlier in the log gets the name, and the other buyer loses nothing", () => {
    const scenario = new Scenario();
    const { alice, bob, dso } = scenario;
    const name = "both.unverified.cns";
    for (const wallet of [alice, bob]) scenario.tap(wallet, "500.0");
    const requests = [alice, bob].map((wallet) => scenario.request(wallet, { name }));
    const [ofAlice, ofBob] = requests;
    if (ofAlice === undefined || ofBob === undefined) throw new Error("both have asked");
    // Alice asked first, but Bob pays first.
    scenario.pay(bob, ofBob);
    scenario.pay(alice, ofAlice);
    expect(dso.decideInitialPayments().map(({ kind }) => kind)).toEqual(["collect", "reject"]);
    dso.settle();
    expect(scenario.ownerOf(name)).toBe(bob.party);
    expect(scenario.coinsOf(bob)).toEqual({ free: "300.0", locked: "0.0" });
    expect(scenario.coinsOf(alice)).toEqual({ free: "500.0", locked: "0.0" });
  });

  test("the name does not change hands while it is registered, for its owner either", () => {
    const scenario = new Scenario();
    const { alice, bob, dso } = scenario;
    const name = "alice.unverified.cns";
    scenario.register(alice, name, SOON);
    for (const wallet of [alice, bob]) {
      scenario.tap(wallet, "200.0");
      scenario.pay(wallet, scenario.request(wallet, { name }));
    }
    dso.settle();
    expect(scenario.ownerOf(name)).toBe(alice.party);
    for (const wallet of [alice, bob]) {
      expect(scenario.coinsOf(wallet)).toEqual({ free: "200.0", locked: "0.0" });
    }
  });
});
