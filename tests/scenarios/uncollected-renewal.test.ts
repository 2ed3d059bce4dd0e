import { describe, expect, test } from "vitest";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionIdleState,
  SubscriptionPayment,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { openRounds } from "../../packages/ledger/testing/open-rounds.ts";
import { EXPIRES, NAME, registeredWithCoin } from "./registered-name.ts";
import { accepted, rejection } from "./scenario.ts";

describe("a renewal that is not collected while rounds close", () => {
  test("is left alone while its round is open: two rounds later an SV may not give it back", () => {
    const scenario = registeredWithCoin();
    const { alice, network, dso } = scenario;
    network.advanceTo(time("2026-04-10T00:00:00Z"));
    // All three rounds have opened since the founding, so the wallet pays in the newest.
    scenario.payRenewal(alice);
    for (let round = 0; round < 2; round++) {
      network.advance(20n * MINUTE);
      scenario.sv().advanceRound();
      const [decision] = dso.decideRenewals();
      if (decision?.kind !== "collect") throw new Error("it can still be collected");
      const openMiningRoundCid = openRounds(network)[2].contractId;
      const hasty = { ...decision, kind: "return", reason: "round closed", openMiningRoundCid } as const;
      const early = scenario.sv(1).carryOutRenewal(hasty);
      expect(early === null ? null : rejection(early).cause).toContain("Renewal can no longer be collected");
    }
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(network.only(AnsEntry).payload.expiresAt).toBe(time("2026-07-31T12:00:00Z"));
  });

  test("is returned in full when the third round has opened; then it can be paid again", () => {
    const scenario = registeredWithCoin();
    const { alice, network, dso } = scenario;
    network.advanceTo(time("2026-04-10T00:00:00Z"));
    scenario.payRenewal(alice);
    expect(network.only(SubscriptionPayment).payload.round.number).toBe(2n);
    const locked = network.only(LockedAmulet).payload.amulet;
    for (let round = 0; round < 3; round++) {
      expect(dso.decideRenewals().map(({ kind }) => kind)).toEqual(["collect"]);
      network.advance(20n * MINUTE);
      accepted(scenario.sv().advanceRound());
    }
    expect(dso.decideRenewals()).toMatchObject([{ kind: "return", reason: "round closed" }]);
    expect(scenario.settleRenewals()).toEqual(["return"]);
    expect(scenario.coinsOf(alice)).toEqual({ free: "250.0", locked: "0.0" });
    expect(network.active(Amulet, alice.party).map(({ payload }) => payload)).toContainEqual(locked);
    expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(EXPIRES);
    expect(scenario.ownerOf(NAME)).toBe(alice.party);
    scenario.payRenewal(alice);
    // Rounds 3, 4 and 5 are there now; the newest has been announced, but has not opened.
    expect(network.only(SubscriptionPayment).payload.round.number).toBe(4n);
    expect(scenario.settleRenewals()).toEqual(["collect"]);
    expect(scenario.coinsOf(alice)).toEqual({ free: "50.0", locked: "0.0" });
    expect(network.only(AnsEntry).payload.expiresAt).toBe(time("2026-07-31T12:00:00Z"));
  });

  test("can be taken back by its owner once the lock has run out", () => {
    const scenario = registeredWithCoin();
    const { alice, network } = scenario;
    network.advanceTo(time("2026-04-10T00:00:00Z"));
    const payment = scenario.payRenewal(alice);
    const { expiresAt } = network.only(LockedAmulet).payload.lock;
    const early = scenario.at((expiresAt - 1n) as typeof expiresAt, () =>
      alice.expireRenewalPayment(payment),
    );
    expect(rejection(early).cause).toContain("strictly before deadline 'Lock.expiresAt'");
    accepted(scenario.at(expiresAt, () => alice.expireRenewalPayment(payment)));
    expect(scenario.coinsOf(alice)).toEqual({ free: "250.0", locked: "0.0" });
    expect(network.only(SubscriptionIdleState).payload.nextPaymentDueAt).toBe(EXPIRES);
  });
});
