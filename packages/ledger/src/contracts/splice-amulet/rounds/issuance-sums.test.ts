/**
 * The coin a round issues against the coin it has, over configurations that a vote might bring about: caps and shares of
 * nothing and of everything, prices and ticks of any size. The sums are made here with fractions of whole numbers,
 * without the ledger's arithmetic.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Decimal, decimalFromUnits } from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import { relTime } from "../../rel-time.ts";
import type { IssuanceConfig } from "../declarations/amulet-config.ts";
import type { OpenMiningRoundSummary } from "../declarations/issuance.ts";
import { computeIssuance, type RoundIssuance } from "./issuance.ts";

const UNIT = 10n ** 10n;
const YEAR = 365n * DAY;

/** Any number of digits is as likely as any other. */
const ofAnySize = (digits: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: digits }), fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) }))
    .map(([size, value]) => value % 10n ** BigInt(size) || 1n);
const orNothing = (value: fc.Arbitrary<bigint>) => fc.oneof({ weight: 1, arbitrary: fc.constant(0n) }, value);
const amount = (value: fc.Arbitrary<bigint>): fc.Arbitrary<Decimal> => value.map(decimalFromUnits);

/** A share, and another that leaves room for it; each may be nothing and everything. */
const shares = fc
  .tuple(
    fc.oneof(fc.constantFrom(0n, UNIT), fc.bigInt({ min: 0n, max: UNIT })),
    fc.oneof(fc.constantFrom(0n, UNIT), fc.bigInt({ min: 0n, max: UNIT })),
  )
  .map(([first, second]) => [first, second < UNIT - first ? second : UNIT - first] as const);

const anyConfig: fc.Arbitrary<IssuanceConfig> = fc
  .record({
    amuletToIssuePerYear: amount(ofAnySize(21)),
    shares,
    validatorRewardCap: amount(orNothing(ofAnySize(14))),
    featuredAppRewardCap: amount(orNothing(ofAnySize(14))),
    unfeaturedAppRewardCap: amount(orNothing(ofAnySize(14))),
    optValidatorFaucetCap: fc.option(amount(orNothing(ofAnySize(12)))),
    optDevelopmentFundPercentage: fc.option(
      amount(fc.oneof(fc.constantFrom(0n, UNIT), fc.bigInt({ min: 0n, max: UNIT }))),
    ),
  })
  .map(({ shares: [validators, apps], ...config }) => ({
    ...config,
    validatorRewardPercentage: decimalFromUnits(validators),
    appRewardPercentage: decimalFromUnits(apps),
  }));

const anyRound = fc.record({
  // From a microsecond to some years, hardly ever a part of a year without remainder.
  tickDuration: ofAnySize(15).map(relTime),
  amuletPrice: amount(ofAnySize(20)),
  issuanceConfig: anyConfig,
});

const anySummary: fc.Arbitrary<OpenMiningRoundSummary> = fc.record({
  totalValidatorRewardCoupons: amount(orNothing(ofAnySize(24))),
  totalFeaturedAppRewardCoupons: amount(orNothing(ofAnySize(24))),
  totalUnfeaturedAppRewardCoupons: amount(orNothing(ofAnySize(24))),
  totalSvRewardWeight: orNothing(ofAnySize(8)),
  optTotalValidatorFaucetCoupons: fc.option(orNothing(ofAnySize(5))),
});

/** n ÷ d to the nearest, a tie to the even one; neither is negative. */
function nearest(n: bigint, d: bigint): bigint {
  const up = (2n * n + d) / (2n * d);
  const isTie = (2n * n + d) % (2n * d) === 0n;
  return isTie && up % 2n === 1n ? up - 1n : up;
}

function inRound(config: IssuanceConfig, tick: bigint): bigint {
  return nearest(config.amuletToIssuePerYear * UNIT, nearest(YEAR * UNIT, tick));
}

/** Everything that is given out or put aside, in units of 10⁻²⁰. */
function handedOut(issuance: RoundIssuance, summary: OpenMiningRoundSummary): bigint {
  const paid =
    summary.totalValidatorRewardCoupons * issuance.perValidatorRewardCoupon +
    summary.totalFeaturedAppRewardCoupons * issuance.perFeaturedAppRewardCoupon +
    summary.totalUnfeaturedAppRewardCoupons * issuance.perUnfeaturedAppRewardCoupon +
    (summary.optTotalValidatorFaucetCoupons ?? 0n) * UNIT * issuance.perValidatorFaucetCoupon +
    summary.totalSvRewardWeight * UNIT * issuance.perSvRewardCoupon;
  const kept =
    issuance.unclaimedValidatorRewards +
    issuance.unclaimedAppRewards +
    issuance.unclaimedSvRewards +
    issuance.developmentFund;
  return paid + kept * UNIT;
}

/** The largest rounding error of one tranche, in units of 10⁻²⁰. */
function rounding(cap: bigint, coupons: bigint): bigint {
  if (cap <= 0n || coupons === 0n) return UNIT;
  const together = nearest(cap * coupons, UNIT);
  // The quotient is off by half a unit a coupon; the product before it by half a unit in all that they earn.
  return together === 0n ? UNIT : coupons + (coupons * UNIT) / together + 4n * UNIT;
}

function tolerance(
  { amuletPrice, issuanceConfig: config }: { amuletPrice: bigint; issuanceConfig: IssuanceConfig },
  summary: OpenMiningRoundSummary,
): bigint {
  const featured = summary.totalFeaturedAppRewardCoupons;
  const faucetCap = nearest((config.optValidatorFaucetCap ?? (285n * UNIT) / 100n) * UNIT, amuletPrice);
  return (
    rounding(config.validatorRewardCap, summary.totalValidatorRewardCoupons) +
    rounding(faucetCap, (summary.optTotalValidatorFaucetCoupons ?? 0n) * UNIT) +
    rounding(config.unfeaturedAppRewardCap, featured + summary.totalUnfeaturedAppRewardCoupons) +
    rounding(config.featuredAppRewardCap - config.unfeaturedAppRewardCap, featured) +
    rounding(UNIT, summary.totalSvRewardWeight * UNIT)
  );
}

const RUNS = { numRuns: 3000 };

test("coupons, unclaimed rewards and the fund are all that a round has, but for rounding", () => {
  fc.assert(
    fc.property(anyRound, anySummary, (round, summary) => {
      const issuance = computeIssuance(round, summary);
      const has = inRound(round.issuanceConfig, round.tickDuration.microseconds) * UNIT;
      const difference = handedOut(issuance, summary) - has;
      const allowed = tolerance(round, summary);
      expect(difference <= allowed && difference >= -allowed, `${difference} of ${allowed}`).toBe(true);
    }),
    RUNS,
  );
});

test("the fund gets its share to the last digit, and five percent unless the configuration says otherwise", () => {
  fc.assert(
    fc.property(anyRound, anySummary, (round, summary) => {
      const share = round.issuanceConfig.optDevelopmentFundPercentage ?? (5n * UNIT) / 100n;
      const has = inRound(round.issuanceConfig, round.tickDuration.microseconds);
      expect(computeIssuance(round, summary).developmentFund).toBe(nearest(has * share, UNIT));
    }),
    RUNS,
  );
});

test("a round without activity gives nothing away: all but the fund's share is unclaimed, to the last digit", () => {
  const nothing = {
    totalValidatorRewardCoupons: decimalFromUnits(0n),
    totalFeaturedAppRewardCoupons: decimalFromUnits(0n),
    totalUnfeaturedAppRewardCoupons: decimalFromUnits(0n),
    totalSvRewardWeight: 0n,
    optTotalValidatorFaucetCoupons: null,
  };
  fc.assert(
    fc.property(anyRound, (round) => {
      const issuance = computeIssuance(round, nothing);
      const has = inRound(round.issuanceConfig, round.tickDuration.microseconds);
      expect(handedOut(issuance, nothing)).toBe(has * UNIT);
    }),
    RUNS,
  );
});

test("without caps for validators and apps, SVs and the unclaimed rewards get everything", () => {
  const none = decimalFromUnits(0n);
  const caps = { validatorRewardCap: none, featuredAppRewardCap: none, unfeaturedAppRewardCap: none };
  fc.assert(
    fc.property(anyRound, anySummary, (round, summary) => {
      const issuanceConfig = { ...round.issuanceConfig, ...caps, optValidatorFaucetCap: none };
      const issuance = computeIssuance({ ...round, issuanceConfig }, summary);
      const has = inRound(issuanceConfig, round.tickDuration.microseconds);
      const toSvs = handedOut(issuance, summary) - has * UNIT;
      const allowed = summary.totalSvRewardWeight * UNIT + UNIT;
      expect(toSvs <= allowed && toSvs >= -allowed, `${toSvs}`).toBe(true);
      for (const per of [issuance.perValidatorRewardCoupon, issuance.perUnfeaturedAppRewardCoupon]) {
        expect(per).toBe(0n);
      }
    }),
    RUNS,
  );
});
