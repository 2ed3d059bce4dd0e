import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { expectNotFound, expectOtherGroup, expectUnmet } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { SvRounds } from "../../../testing/sv-rounds.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import { MemberTraffic } from "../splice-amulet/declarations/member-traffic.ts";
import { AppRewardCoupon } from "../splice-amulet/declarations/reward-coupons.ts";
import { ClosedMiningRound } from "../splice-amulet/declarations/round.ts";
import { TransferPreapproval } from "../splice-amulet/declarations/transfer-preapproval.ts";

const [alice, bob] = [testParty("alice"), testParty("bob")];

test("an SV closes a round at the end of its time, and not a moment earlier", () => {
  const network = new DsoFixture();
  const rounds = new SvRounds(network);
  network.advanceRounds();
  const { opensAt: _opensAt, targetClosesAt, ...issued } = rounds.startIssuing(0n);
  network.sandbox.now = addDuration(targetClosesAt, -MICROSECOND);
  expectUnmet("Mining round is past targetClosesAt", () => rounds.close(0n));
  network.sandbox.now = targetClosesAt;
  const closed = rounds.close(0n, network.sv(3));
  expect(network.only(ClosedMiningRound)).toEqual({ contractId: closed, payload: issued });
  expect(shapeOf(network.sandbox)).toEqual([
    "DsoRules_MiningRound_Close DsoRules",
    "AmuletRules_MiningRound_Close AmuletRules",
    "Archive IssuingMiningRound",
    "create ClosedMiningRound",
  ]);
});

test("an SV turns activity markers into coupons of an open round, one a provider and beneficiary", () => {
  const network = new DsoFixture();
  const { dso, sandbox } = network;
  const marker = (weight: string) =>
    sandbox.create(
      FeaturedAppActivityMarker,
      { dso, provider: alice, beneficiary: bob, weight: decimal(weight) },
      { actAs: [dso] },
    );
  const argument = {
    amuletRulesCid: network.amuletRules,
    argument: {
      markerCids: [marker("1.0"), marker("0.5")],
      openMiningRoundCid: network.openRound(1n).contractId,
      observers: null,
    },
  };
  const choice = "DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers";
  const { result } = network.bySv(choice, argument, network.sv(1));
  // A dollar for each whole marker, at half a cent.
  expect(result.appRewardCouponCids.map((cid) => sandbox.payloadOf(AppRewardCoupon, cid))).toEqual([
    {
      dso,
      provider: alice,
      featured: true,
      amount: decimal("300.0"),
      round: { number: 1n },
      beneficiary: bob,
    },
  ]);
  expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  expectNotFound(() => network.bySv(choice, argument));
});

describe("purchases of traffic", () => {
  const purchase = (network: DsoFixture, memberId = "PAR::alice"): ContractId =>
    network.sandbox.create(
      MemberTraffic,
      {
        dso: network.dso,
        memberId,
        synchronizerId: "global::1220ab",
        migrationId: 0n,
        totalPurchased: 200_000n,
        numPurchases: 1n,
        amuletSpent: decimal("666.8"),
        usdSpent: decimal("3.334"),
      },
      network.asDso(),
    );
  const merge = (network: DsoFixture, trafficCids: readonly ContractId[]) => {
    const argument = { amuletRulesCid: network.amuletRules, trafficCids };
    return network.bySv("DsoRules_MergeMemberTrafficContracts", argument, network.sv(2)).memberTraffic;
  };

  test("are merged if they are more than five", () => {
    const network = new DsoFixture();
    const cids = Array.from({ length: 6 }, () => purchase(network));
    const label = "Number of member traffic contracts is above the configured threshold";
    expectUnmet(label, () => merge(network, cids.slice(1)));
    const merged = merge(network, cids);
    expect(network.only(MemberTraffic)).toEqual({
      contractId: merged,
      payload: {
        dso: network.dso,
        memberId: "PAR::alice",
        synchronizerId: "global::1220ab",
        migrationId: 0n,
        totalPurchased: 1_200_000n,
        numPurchases: 6n,
        amuletSpent: decimal("4000.8"),
        usdSpent: decimal("20.004"),
      },
    });
  });

  test("are merged for one member only", () => {
    const network = new DsoFixture();
    const cids = Array.from({ length: 5 }, () => purchase(network));
    expectOtherGroup("MemberTraffic", () => merge(network, [...cids, purchase(network, "PAR::bob")]));
  });
});

test("an SV removes a preapproval that ran out, and not a moment earlier", () => {
  const network = new DsoFixture();
  const { dso, sandbox } = network;
  const { now } = sandbox;
  const expiresAt = addDuration(now, DAY);
  const preapproval = { dso, receiver: alice, provider: bob, validFrom: now, lastRenewedAt: now, expiresAt };
  const cid = sandbox.create(TransferPreapproval, preapproval, { actAs: [dso, alice, bob] });
  const expire = () => network.bySv("DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid: cid });
  sandbox.now = addDuration(expiresAt, -MICROSECOND);
  expectUnmet("Contract has expired", expire);
  sandbox.now = expiresAt;
  expect(expire()).toEqual({});
  expect(sandbox.isActive(cid)).toBe(false);
  expectNotFound(expire);
});
