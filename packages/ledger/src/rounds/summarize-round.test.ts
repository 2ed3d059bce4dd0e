import { describe, expect, test } from "vitest";
import { decimal } from "../values/decimal.ts";
import { type RoundCoupons, summarizeRound } from "./summarize-round.ts";

const nothing: RoundCoupons = {
  validatorRewardCoupons: [],
  appRewardCoupons: [],
  svRewardCoupons: [],
  validatorRecordCount: 0,
};

describe("the totals of a round", () => {
  test("are all zero for a round in which nothing was earned", () => {
    expect(summarizeRound(nothing, null)).toEqual({
      totalValidatorRewardCoupons: decimal("0.0"),
      totalFeaturedAppRewardCoupons: decimal("0.0"),
      totalUnfeaturedAppRewardCoupons: decimal("0.0"),
      totalSvRewardWeight: 0n,
      optTotalValidatorFaucetCoupons: 0n,
    });
  });

  test("are sums by kind, to the last digit, with featured apps apart", () => {
    const coupons: RoundCoupons = {
      validatorRewardCoupons: [{ amount: decimal("0.0000000001") }, { amount: decimal("666.8") }],
      appRewardCoupons: [
        { amount: decimal("200.0"), featured: true },
        { amount: decimal("0.1"), featured: false },
        { amount: decimal("0.2"), featured: false },
        { amount: decimal("0.0000000003"), featured: true },
      ],
      svRewardCoupons: [{ weight: 9_999n }, { weight: 1n }, { weight: 30_000n }],
      validatorRecordCount: 3,
    };
    expect(summarizeRound(coupons, decimal("2.85"))).toEqual({
      totalValidatorRewardCoupons: decimal("666.8000000001"),
      totalFeaturedAppRewardCoupons: decimal("200.0000000003"),
      totalUnfeaturedAppRewardCoupons: decimal("0.3"),
      totalSvRewardWeight: 40_000n,
      optTotalValidatorFaucetCoupons: 3n,
    });
  });

  test.each([
    [null, 7n],
    [decimal("0.0000000001"), 7n],
    [decimal("0.0"), 0n],
    [decimal("-1.0"), 0n],
  ])("with a cap of %s for a validator's record, seven records count as %i", (cap, counted) => {
    const summary = summarizeRound({ ...nothing, validatorRecordCount: 7 }, cap);
    expect(summary.optTotalValidatorFaucetCoupons).toBe(counted);
  });
});
