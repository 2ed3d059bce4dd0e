import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, decimal, decimalFromUnits, subtract } from "../../../values/decimal.ts";
import { MINUTE } from "../../../values/duration.ts";
import { relTime } from "../../rel-time.ts";
import type { IssuanceConfig } from "../declarations/amulet-config.ts";
import { computeIssuance } from "./issuance.ts";

const TICK = relTime(10n * MINUTE);
const PRICE = decimal("0.005");

const units = (max: bigint) =>
  fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 1n, max: 10n ** 10n < max ? 10n ** 10n : max }),
    fc.bigInt({ min: 0n, max }),
  );
const share = (max: bigint) => fc.bigInt({ min: 0n, max });
const UNIT = 10n ** 10n;

const anyConfig = fc
  .record({
    perYear: fc.bigInt({ min: 10n ** 6n, max: 40n * 10n ** 9n }),
    validators: share(45n),
    apps: share(45n),
    validatorCap: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n * UNIT })),
    unfeaturedCap: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n * UNIT })),
    featuredExtra: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 100n * UNIT })),
    faucetCap: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n * UNIT })),
    fund: share(100n),
  })
  .map(
    (given): IssuanceConfig => ({
      amuletToIssuePerYear: decimalFromUnits(given.perYear * UNIT),
      validatorRewardPercentage: decimalFromUnits((given.validators * UNIT) / 100n),
      appRewardPercentage: decimalFromUnits((given.apps * UNIT) / 100n),
      validatorRewardCap: decimalFromUnits(given.validatorCap),
      featuredAppRewardCap: decimalFromUnits(given.unfeaturedCap + given.featuredExtra),
      unfeaturedAppRewardCap: decimalFromUnits(given.unfeaturedCap),
      optValidatorFaucetCap: decimalFromUnits(given.faucetCap),
      optDevelopmentFundPercentage: decimalFromUnits((given.fund * UNIT) / 100n),
    }),
  );

const total = units(10n ** 8n * UNIT).map(decimalFromUnits);
const anySummary = fc.record({
  totalValidatorRewardCoupons: total,
  totalFeaturedAppRewardCoupons: total,
  totalUnfeaturedAppRewardCoupons: total,
  totalSvRewardWeight: fc.bigInt({ min: 0n, max: 3_000_000n }),
  optTotalValidatorFaucetCoupons: fc.bigInt({ min: 0n, max: 10_000n }),
});

/**
 * The most that rounding may lift a coupon's figure above its cap: a unit for the quotient, and for the products
 * before it (cap × coupons, and that × cap) more the less the coupons could earn together.
 */
function slack(cap: bigint, coupons: bigint): bigint {
  if (cap === 0n || coupons === 0n) return 0n;
  return 2n + ((cap + UNIT) * UNIT) / (cap * coupons);
}

describe("the issuance of a round", () => {
  const round = (issuanceConfig: IssuanceConfig) => ({
    tickDuration: TICK,
    amuletPrice: PRICE,
    issuanceConfig,
  });

  test("is never negative, and within the caps", () => {
    fc.assert(
      fc.property(anyConfig, anySummary, (config, given) => {
        const issuance = computeIssuance(round(config), given);
        for (const [what, amount] of Object.entries(issuance))
          expect(amount, what).toBeGreaterThanOrEqual(0n);
        const { totalFeaturedAppRewardCoupons: featured, totalValidatorRewardCoupons: validator } = given;
        const app = add(featured, given.totalUnfeaturedAppRewardCoupons);
        const { validatorRewardCap, unfeaturedAppRewardCap: unfeaturedCap } = config;
        const extraCap = subtract(config.featuredAppRewardCap, unfeaturedCap);
        const most = (cap: bigint, coupons: bigint) => cap + slack(cap, coupons);
        expect(issuance.perValidatorRewardCoupon).toBeLessThanOrEqual(most(validatorRewardCap, validator));
        expect(issuance.perUnfeaturedAppRewardCoupon).toBeLessThanOrEqual(most(unfeaturedCap, app));
        expect(issuance.perFeaturedAppRewardCoupon).toBeLessThanOrEqual(
          most(unfeaturedCap, app) + most(extraCap, featured),
        );
        expect(issuance.perFeaturedAppRewardCoupon).toBeGreaterThanOrEqual(
          issuance.perUnfeaturedAppRewardCoupon,
        );
      }),
      { numRuns: 400 },
    );
  });

  test("adds up: coupons, unclaimed and fund are the round's coin, but for rounding", () => {
    fc.assert(
      fc.property(anyConfig, anySummary, (config, given) => {
        const issuance = computeIssuance(round(config), given);
        // Exact arithmetic on units, scaled so that nothing is rounded: coupons × per coupon has 20 places.
        const featured = given.totalFeaturedAppRewardCoupons;
        const records = given.optTotalValidatorFaucetCoupons * UNIT;
        const weight = given.totalSvRewardWeight * UNIT;
        const paid =
          given.totalValidatorRewardCoupons * issuance.perValidatorRewardCoupon +
          featured * issuance.perFeaturedAppRewardCoupon +
          given.totalUnfeaturedAppRewardCoupons * issuance.perUnfeaturedAppRewardCoupon +
          records * issuance.perValidatorFaucetCoupon +
          weight * issuance.perSvRewardCoupon;
        const kept =
          issuance.unclaimedValidatorRewards +
          issuance.unclaimedAppRewards +
          issuance.unclaimedSvRewards +
          issuance.developmentFund;
        // perYear × tick ÷ year, in units: 52,560 ticks of ten minutes.
        const inRound = (config.amuletToIssuePerYear * UNIT) / 52_560n;
        const difference = paid + kept * UNIT - inRound;
        // A unit for each coupon of a tranche whose per-coupon figure was rounded, and a few for the pools. The
        // product of pool and cap is rounded before it is divided: with small caps that weighs more.
        const coupons =
          given.totalValidatorRewardCoupons +
          2n * featured +
          given.totalUnfeaturedAppRewardCoupons +
          records +
          weight;
        const smallCaps = [
          config.validatorRewardCap,
          config.unfeaturedAppRewardCap,
          config.featuredAppRewardCap - config.unfeaturedAppRewardCap,
          (config.optValidatorFaucetCap ?? 0n) * 200n,
        ].reduce((worst, cap) => (cap > 0n && UNIT / cap > worst ? UNIT / cap : worst), 1n);
        const tolerance = coupons + (10n + 4n * smallCaps) * UNIT;
        expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 400 },
    );
  });
});
