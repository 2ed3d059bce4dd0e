import { describe, expect, test } from "vitest";
import { expectUnmetBy } from "../../../../testing/rejection.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import { HOUR, MINUTE } from "../../../values/duration.ts";
import { relTime } from "../../rel-time.ts";
import type { IssuanceConfig } from "../declarations/amulet-config.ts";
import type { OpenMiningRoundSummary } from "../declarations/issuance.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";
import { computeIssuance, type RoundIssuance, requireValidSummary } from "./issuance.ts";
import { issuanceAt } from "./schedule.ts";

const { issuanceCurve } = defaultAmuletConfig("sync::1");
const TICK = relTime(10n * MINUTE);
const PRICE = decimal("0.005");

/** By the hour of issuance time at which it begins. */
function segment(hours: bigint, given: Partial<IssuanceConfig> = {}): IssuanceConfig {
  const config = issuanceAt(issuanceCurve, relTime(hours * HOUR));
  return { ...config, optDevelopmentFundPercentage: decimal("0.0"), ...given };
}

const FUND_5 = { optDevelopmentFundPercentage: decimal("0.05") };

interface Activity {
  readonly validator?: string;
  readonly featured?: string;
  readonly unfeatured?: string;
  readonly records?: bigint | null;
  readonly svWeight?: bigint;
}

function summary(activity: Activity = {}): OpenMiningRoundSummary {
  return {
    totalValidatorRewardCoupons: decimal(activity.validator ?? "0.0"),
    totalFeaturedAppRewardCoupons: decimal(activity.featured ?? "0.0"),
    totalUnfeaturedAppRewardCoupons: decimal(activity.unfeatured ?? "0.0"),
    totalSvRewardWeight: activity.svWeight ?? 0n,
    optTotalValidatorFaucetCoupons: activity.records === undefined ? 0n : activity.records,
  };
}

function issue(config: IssuanceConfig, activity: Activity, given: { tick?: bigint; price?: string } = {}) {
  const round = {
    tickDuration: relTime(given.tick ?? TICK.microseconds),
    amuletPrice: given.price === undefined ? PRICE : decimal(given.price),
    issuanceConfig: config,
  };
  return show(computeIssuance(round, summary(activity)));
}

/** The coin for each coupon (validator, featured, unfeatured, faucet, SV), the unclaimed rest, and the fund's share. */
function show(issuance: RoundIssuance) {
  return {
    per: [
      issuance.perValidatorRewardCoupon,
      issuance.perFeaturedAppRewardCoupon,
      issuance.perUnfeaturedAppRewardCoupon,
      issuance.perValidatorFaucetCoupon,
      issuance.perSvRewardCoupon,
    ].map(formatDecimalShort),
    unclaimed: [
      issuance.unclaimedValidatorRewards,
      issuance.unclaimedAppRewards,
      issuance.unclaimedSvRewards,
    ].map(formatDecimalShort),
    fund: formatDecimalShort(issuance.developmentFund),
  };
}

const medium: Activity = {
  validator: "10000.0",
  featured: "400.0",
  unfeatured: "9600.0",
  records: 50n,
  svWeight: 100n,
};
const low: Activity = {
  validator: "200.0",
  featured: "100.0",
  unfeatured: "100.0",
  records: 50n,
  svWeight: 2n,
};

describe("a round of medium activity", () => {
  test.each([
    {
      from: 0n,
      per: ["0.2", "100.0", "0.6", "570.0", "6088.2800608828"],
      unclaimed: ["7551.7503805175", "68395.2511415525", "0.0000000001"],
    },
    {
      from: 4_380n,
      per: ["0.2", "100.0", "0.6", "570.0", "1826.4840182648"],
      unclaimed: ["15162.100456621", "106447.00152207", "0.000000004"],
    },
    {
      from: 13_140n,
      per: ["0.2", "100.0", "0.6", "570.0", "380.5175038052"],
      unclaimed: ["3746.5753424658", "72200.4261796042", "0.0"],
    },
    {
      from: 43_800n,
      per: ["0.2", "100.0", "0.6", "359.5433789954", "95.1293759513"],
      unclaimed: ["0.0000000017", "19879.2694063927", "0.0"],
    },
    {
      from: 87_600n,
      per: ["0.2", "74.7837899543", "0.6", "150.2587519026", "23.7823439878"],
      unclaimed: ["0.0", "0.0000000152", "0.0000000023"],
    },
  ])("from $from hours on, without a fund", ({ from, per, unclaimed }) => {
    expect(issue(segment(from), medium)).toEqual({ per, unclaimed, fund: "0.0" });
  });

  test.each([
    {
      from: 0n,
      per: ["0.2", "100.0", "0.6", "570.0", "5783.8660578387"],
      unclaimed: ["5649.1628614916", "62687.4885844749", "0.0"],
      fund: "38051.7503805175",
    },
    {
      from: 4_380n,
      per: ["0.2", "100.0", "0.6", "570.0", "1735.1598173516"],
      unclaimed: ["12878.9954337899", "98836.6514459665", "0.0"],
      fund: "19025.8751902588",
    },
    {
      from: 13_140n,
      per: ["0.2", "100.0", "0.6", "570.0", "361.4916286149"],
      unclaimed: ["2034.2465753425", "66302.404870624", "0.0000000016"],
      fund: "9512.9375951294",
    },
    {
      from: 43_800n,
      per: ["0.2", "100.0", "0.6", "339.5662100457", "90.3729071537"],
      unclaimed: ["0.0", "16597.3059360731", "0.0000000029"],
      fund: "4756.4687975647",
    },
    {
      from: 87_600n,
      per: ["0.2", "70.3246004566", "0.6", "140.7458143075", "22.5932267884"],
      unclaimed: ["0.0", "0.0000000084", "0.0000000033"],
      fund: "2378.2343987823",
    },
  ])("from $from hours on, with a fund of 5 %", ({ from, ...expected }) => {
    expect(issue(segment(from, FUND_5), medium)).toEqual(expected);
    // A fund that is not configured takes 5 % too.
    expect(issue(segment(from, { optDevelopmentFundPercentage: null }), medium)).toEqual(expected);
  });

  test("changes its issuance exactly at a boundary of the curve", () => {
    const at = (micros: bigint) => {
      const config = issuanceAt(issuanceCurve, relTime(4_380n * HOUR + micros));
      return issue({ ...config, optDevelopmentFundPercentage: decimal("0.0") }, medium).per[4];
    };
    expect([at(-1n), at(0n), at(1n)]).toEqual(["6088.2800608828", "1826.4840182648", "1826.4840182648"]);
  });
});

describe("a round of other activity", () => {
  test("without any coupon leaves everything, and shows what one would have earned", () => {
    expect(issue(segment(0n), {})).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "608828.0060882801"],
      unclaimed: ["38051.7503805175", "114155.2511415525", "608828.0060882801"],
      fund: "0.0",
    });
    expect(issue(segment(0n, FUND_5), {})).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "578386.6057838661"],
      unclaimed: ["36149.1628614916", "108447.4885844749", "578386.6057838661"],
      fund: "38051.7503805175",
    });
  });

  test("of little activity pays every cap", () => {
    expect(issue(segment(0n), low)).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "304414.00304414"],
      unclaimed: ["9511.7503805175", "104095.2511415525", "0.0000000001"],
      fund: "0.0",
    });
    expect(issue(segment(0n, FUND_5), low)).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "289193.302891933"],
      unclaimed: ["7609.1628614916", "98387.4885844749", "0.0000000001"],
      fund: "38051.7503805175",
    });
  });

  test("with SV weights in the millions rounds, and keeps what rounding leaves", () => {
    const weights = { svWeight: 2_400_000n };
    expect(issue(segment(87_600n), weights)).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "0.000990931"],
      unclaimed: ["9512.9375951294", "35673.5159817352", "0.0"],
      fund: "0.0",
    });
    expect(issue(segment(87_600n, FUND_5), weights)).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "0.0009413844"],
      unclaimed: ["9037.2907153729", "33889.8401826484", "0.0001188433"],
      fund: "2378.2343987823",
    });
  });

  test("pays only the fund if the fund takes all", () => {
    const config = segment(0n, { optDevelopmentFundPercentage: decimal("1.0") });
    expect(issue(config, medium)).toEqual({
      per: ["0.0", "0.0", "0.0", "0.0", "0.0"],
      unclaimed: ["0.0", "0.0", "0.0"],
      fund: "761035.0076103501",
    });
  });

  test.each([50n, 0n, null])("pays live validators nothing if their cap is zero (records: %s)", (records) => {
    const config = segment(0n, { optValidatorFaucetCap: decimal("0.0") });
    expect(issue(config, { ...medium, records })).toEqual({
      per: ["0.2", "100.0", "0.6", "0.0", "6088.2800608828"],
      unclaimed: ["36051.7503805175", "68395.2511415525", "0.0000000001"],
      fund: "0.0",
    });
  });

  test("pays live validators up to 2.85 dollars if no cap is configured, at the round's price", () => {
    const config = segment(0n, { optValidatorFaucetCap: null });
    expect(issue(config, medium).per[3]).toBe("570.0");
    expect(issue(config, medium, { price: "1.0" }).per[3]).toBe("2.85");
    // 2.85 ÷ 0.3 = 9.5
    expect(issue(config, medium, { price: "0.3" }).per[3]).toBe("9.5");
  });

  test("pays nothing for a kind whose cap is zero, and hands its pool on", () => {
    const config = segment(0n, {
      validatorRewardCap: decimal("0.0"),
      unfeaturedAppRewardCap: decimal("0.0"),
      featuredAppRewardCap: decimal("0.0"),
    });
    // All of the validators' pool less 50 × 570, all of the apps' pool.
    expect(issue(config, medium)).toEqual({
      per: ["0.0", "0.0", "0.0", "570.0", "6088.2800608828"],
      unclaimed: ["9551.7503805175", "114155.2511415525", "0.0000000001"],
      fund: "0.0",
    });
  });

  test("pays featured apps like all others if their cap is no higher", () => {
    const config = segment(0n, { featuredAppRewardCap: decimal("0.5") });
    // 114155.2511415525 − 10,000 × 0.6
    const { per, unclaimed } = issue(config, medium);
    expect([per[1], per[2], unclaimed[1]]).toEqual(["0.6", "0.6", "108155.2511415525"]);
  });

  test("issues even if its coupons are so few that their cap rounds to nothing", () => {
    // 0.2 × 0.0000000002 is below half a unit: the whole pool stays unclaimed.
    const few = { validator: "0.0000000002", svWeight: 100n };
    expect(issue(segment(0n), few)).toEqual({
      per: ["0.2", "100.0", "0.6", "570.0", "6088.2800608828"],
      unclaimed: ["38051.7503805175", "114155.2511415525", "0.0000000001"],
      fund: "0.0",
    });
  });

  test("issues by the length of its tick: the ticks of a year issue the year's coin", () => {
    // 40e9 coin over 8,760 hours is 4,566,210.0456621005 an hour.
    const whole = { optDevelopmentFundPercentage: decimal("1.0") };
    expect(issue(segment(0n, whole), {}, { tick: HOUR }).fund).toBe("4566210.0456621005");
    expect(issue(segment(0n, whole), {}, { tick: 365n * 24n * HOUR }).fund).toBe("40000000000.0");
  });
});

describe("a summary", () => {
  test.each([
    ["totalValidatorRewardCoupons >= 0.0", { validator: "-0.0000000001" }],
    ["totalFeaturedAppRewardCoupons >= 0.0", { featured: "-0.0000000001" }],
    ["totalUnfeaturedAppRewardCoupons >= 0.0", { unfeatured: "-0.0000000001" }],
    ["totalValidatorFaucetCoupons >= 0", { records: -1n }],
  ])("is refused unless %s", (label, activity) => {
    expectUnmetBy(label, () => requireValidSummary(summary(activity)));
  });

  test("may leave the number of records open, and is fine with zeros", () => {
    requireValidSummary(summary({ records: null }));
    requireValidSummary(summary());
  });
});
