import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { shapeOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { HOUR, MICROSECOND } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "../splice-amulet/declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../splice-amulet/declarations/reward-coupons.ts";
import { ClosedMiningRound } from "../splice-amulet/declarations/round.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
} from "../splice-amulet/declarations/validator-license.ts";

const alice = testParty("alice");
const none = {
  validatorRewardCouponCids: [],
  appCouponCids: [],
  svRewardCouponCids: [],
  optValidatorFaucetCouponCids: null,
  optValidatorLivenessActivityRecordCids: null,
};

function closeRound(network: DsoFixture, number = 7n, dso = network.dso): ContractId {
  const closed = {
    dso,
    round: { number },
    issuancePerValidatorRewardCoupon: decimal("0.2"),
    issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
    issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
    issuancePerSvRewardCoupon: decimal("2.5"),
    optIssuancePerValidatorFaucetCoupon: decimal("570.0"),
  };
  return network.sandbox.create(ClosedMiningRound, closed, { actAs: [dso] });
}

function svCoupon(network: DsoFixture, weight: bigint, round = 7n): ContractId {
  const { dso } = network;
  const coupon = { dso, sv: network.sv(0), beneficiary: alice, round: { number: round }, weight };
  return network.sandbox.create(SvRewardCoupon, coupon, network.asDso());
}

function claim(network: DsoFixture, closedRoundCid: ContractId, given: object) {
  const choiceArg = { ...none, ...given, closedRoundCid };
  const argument = { amuletRulesCid: network.amuletRules, choiceArg };
  return network.bySv("DsoRules_ClaimExpiredRewards", argument, network.sv(2)).unclaimedReward;
}

describe("coupons of a closed round", () => {
  test("of all kinds become one unclaimed reward of what they would have earned", () => {
    const network = new DsoFixture();
    const { dso, sandbox } = network;
    const round = { number: 7n };
    const asDso = network.asDso();
    const app = { dso, provider: alice, round, beneficiary: null };
    const record = { dso, validator: alice, round };
    const given = {
      validatorRewardCouponCids: [
        sandbox.create(ValidatorRewardCoupon, { dso, user: alice, amount: decimal("10.0"), round }, asDso),
      ],
      appCouponCids: [
        sandbox.create(AppRewardCoupon, { ...app, featured: true, amount: decimal("3.0") }, asDso),
        sandbox.create(AppRewardCoupon, { ...app, featured: false, amount: decimal("5.0") }, asDso),
      ],
      svRewardCouponCids: [svCoupon(network, 4n), svCoupon(network, 6n)],
      optValidatorFaucetCouponCids: [sandbox.create(ValidatorFaucetCoupon, record, { actAs: [dso, alice] })],
      optValidatorLivenessActivityRecordCids: [
        sandbox.create(ValidatorLivenessActivityRecord, record, asDso),
      ],
    };
    const unclaimed = claim(network, closeRound(network), given);
    if (unclaimed === null) throw new Error("nothing was claimed");
    // 2 + 300 + 3 + 25 + 2 × 570
    expect(sandbox.payloadOf(UnclaimedReward, unclaimed)).toEqual({ dso, amount: decimal("1470.0") });
    for (const cid of Object.values(given).flat()) expect(sandbox.isActive(cid)).toBe(false);
    // Splice's history has the coupons right below the SVs' choice.
    expect(shapeOf(sandbox)).toEqual([
      "DsoRules_ClaimExpiredRewards DsoRules",
      "ValidatorRewardCoupon_DsoExpire ValidatorRewardCoupon",
      "ValidatorFaucetCoupon_DsoExpire ValidatorFaucetCoupon",
      "ValidatorLivenessActivityRecord_DsoExpire ValidatorLivenessActivityRecord",
      "AppRewardCoupon_DsoExpire AppRewardCoupon",
      "AppRewardCoupon_DsoExpire AppRewardCoupon",
      "SvRewardCoupon_DsoExpire SvRewardCoupon",
      "SvRewardCoupon_DsoExpire SvRewardCoupon",
      "create UnclaimedReward",
    ]);
  });

  test("no coupons leave nothing", () => {
    const network = new DsoFixture();
    expect(claim(network, closeRound(network), {})).toBeNull();
    expect(network.sandbox.active(UnclaimedReward)).toEqual([]);
  });

  test("of another round do not expire, nor by a round that an SV signed", () => {
    const network = new DsoFixture();
    const svRewardCouponCids = [svCoupon(network, 4n, 8n)];
    expectOtherGroup("ClosedMiningRound", () => claim(network, closeRound(network), { svRewardCouponCids }));
    const forged = closeRound(network, 8n, network.sv(2));
    expectOtherGroup("ClosedMiningRound", () => claim(network, forged, { svRewardCouponCids }));
  });

  test("expire once", () => {
    const network = new DsoFixture();
    const closed = closeRound(network);
    const svRewardCouponCids = [svCoupon(network, 4n)];
    claim(network, closed, { svRewardCouponCids });
    expectNotFound(() => claim(network, closed, { svRewardCouponCids }));
  });
});

describe("unclaimed rewards", () => {
  function unclaimed(network: DsoFixture, count: number): readonly ContractId[] {
    const reward = { dso: network.dso, amount: decimal("0.3333333333") };
    return Array.from({ length: count }, () =>
      network.sandbox.create(UnclaimedReward, reward, network.asDso()),
    );
  }
  const merge = (network: DsoFixture, unclaimedRewardCids: readonly ContractId[]) => {
    const argument = { amuletRulesCid: network.amuletRules, unclaimedRewardCids };
    return network.bySv("DsoRules_MergeUnclaimedRewards", argument).unclaimedReward;
  };

  test("are merged if they are more than ten, to the last digit", () => {
    const network = new DsoFixture();
    const cids = unclaimed(network, 11);
    const label = "Number of unclaimed rewards is above the configured threshold";
    expectUnmet(label, () => merge(network, cids.slice(1)));
    const merged = merge(network, cids);
    expect(network.only(UnclaimedReward)).toEqual({
      contractId: merged,
      payload: { dso: network.dso, amount: decimal("3.6666666663") },
    });
  });

  test("count once each", () => {
    const network = new DsoFixture();
    const cids = unclaimed(network, 10);
    const { code } = rejectionOf(() => merge(network, [...cids, ...cids.slice(0, 1)]));
    expect(code).toBe("CONTRACT_NOT_ACTIVE");
  });
});

describe("the development fund", () => {
  const inFund = (network: DsoFixture, amount: string) =>
    network.sandbox.create(
      UnclaimedDevelopmentFundCoupon,
      { dso: network.dso, amount: decimal(amount) },
      network.asDso(),
    );

  test("has its coupons merged from two on", () => {
    const network = new DsoFixture();
    const cids = [inFund(network, "1.5"), inFund(network, "2.25")];
    const merge = (unclaimedDevelopmentFundCouponCids: readonly ContractId[]) => {
      const choiceArg = { unclaimedDevelopmentFundCouponCids };
      const argument = { amuletRulesCid: network.amuletRules, choiceArg };
      return network.bySv("DsoRules_MergeUnclaimedDevelopmentFundCoupons", argument, network.sv(3)).result;
    };
    const label = "More than one unclaimed development fund coupon contract";
    expectUnmet(label, () => merge(cids.slice(1)));
    const { unclaimedDevelopmentFundCouponCid } = merge(cids);
    expect(network.only(UnclaimedDevelopmentFundCoupon)).toEqual({
      contractId: unclaimedDevelopmentFundCouponCid,
      payload: { dso: network.dso, amount: decimal("3.75") },
    });
  });

  test("gets back what was given and has expired, and not a moment earlier", () => {
    const network = new DsoFixture();
    const { dso, sandbox } = network;
    const expiresAt = addDuration(sandbox.now, HOUR);
    const gift = {
      dso,
      beneficiary: alice,
      fundManager: alice,
      amount: decimal("9.0"),
      expiresAt,
      reason: "gift",
    };
    const developmentFundCouponCid = sandbox.create(DevelopmentFundCoupon, gift, network.asDso());
    const expire = () =>
      network.bySv("DsoRules_ExpireDevelopmentFundCoupon", { developmentFundCouponCid }).result;
    sandbox.now = addDuration(expiresAt, -MICROSECOND);
    expectTooEarly("DevelopmentFundCoupon.expiresAt", expire);
    sandbox.now = expiresAt;
    const { unclaimedDevelopmentFundCouponCid } = expire();
    expect(sandbox.payloadOf(UnclaimedDevelopmentFundCoupon, unclaimedDevelopmentFundCouponCid)).toEqual({
      dso,
      amount: decimal("9.0"),
    });
    expect(sandbox.isActive(developmentFundCouponCid)).toBe(false);
  });
});
