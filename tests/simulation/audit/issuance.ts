/**
 * The issuance of a round for each coupon, worked out a second time from the description of the ledger model (its section
 * 6.4), on bigints, and never taken from the contracts' own rules.
 */

import type { IssuanceConfig } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-config.ts";
import { DAY } from "../../../packages/ledger/src/values/duration.ts";
import { over, times, UNIT } from "./decimals.ts";

const YEAR = 365n * DAY;
const FAUCET_CAP_USD = (285n * UNIT) / 100n;
const FUND_SHARE = (5n * UNIT) / 100n;

/** The totals of a round: coins of coupons as decimals, weight and records as whole numbers. */
export interface RoundTotals {
  validator: bigint;
  featured: bigint;
  unfeatured: bigint;
  svWeight: bigint;
  records: bigint;
}

export interface Issuance {
  readonly perValidator: bigint;
  readonly perFeatured: bigint;
  readonly perUnfeatured: bigint;
  readonly perSvWeight: bigint;
  readonly perRecord: bigint;
  readonly inRound: bigint;
  readonly unclaimed: bigint;
  readonly fund: bigint;
}

export function paysRecords({ optValidatorFaucetCap }: IssuanceConfig): boolean {
  return optValidatorFaucetCap === null || optValidatorFaucetCap > 0n;
}

export function issuanceOf(
  config: IssuanceConfig,
  round: { readonly tickMicroseconds: bigint; readonly price: bigint },
  totals: RoundTotals,
): Issuance {
  const roundsPerYear = over(YEAR * UNIT, round.tickMicroseconds * UNIT);
  const inRound = over(config.amuletToIssuePerYear, roundsPerYear);
  const fund = times(inRound, config.optDevelopmentFundPercentage ?? FUND_SHARE);
  const rest = inRound - fund;
  const validatorPool = times(rest, config.validatorRewardPercentage);
  const appPool = times(rest, config.appRewardPercentage);
  const svPool = rest - validatorPool - appPool;

  const [perValidator, forRecords] = tranche(validatorPool, config.validatorRewardCap, totals.validator);
  const recordCap = over(config.optValidatorFaucetCap ?? FAUCET_CAP_USD, round.price);
  const [perRecord, validatorsLeft] = tranche(forRecords, recordCap, totals.records * UNIT);
  const { unfeaturedAppRewardCap, featuredAppRewardCap } = config;
  const apps = totals.featured + totals.unfeatured;
  const [perUnfeatured, forFeatured] = tranche(appPool, unfeaturedAppRewardCap, apps);
  const more = featuredAppRewardCap - unfeaturedAppRewardCap;
  const [perMore, appsLeft] = tranche(forFeatured, more, totals.featured);
  const weight = totals.svWeight * UNIT;
  const perSvWeight = weight === 0n ? svPool : over(svPool, weight);
  const svsLeft = atLeastZero(svPool - times(perSvWeight, weight));
  return {
    perValidator,
    perFeatured: perUnfeatured + perMore,
    perUnfeatured,
    perSvWeight,
    perRecord,
    inRound,
    unclaimed: validatorsLeft + appsLeft + svsLeft,
    fund,
  };
}

/** A coupon's share of the pool, and the rest that the coupons leave. */
function tranche(pool: bigint, cap: bigint, coupons: bigint): readonly [bigint, bigint] {
  if (coupons <= 0n) return [cap, pool];
  if (cap <= 0n) return [0n, pool];
  const scaled = times(cap, coupons);
  // Coupons that are worth nothing even at their cap leave the pool as it is (a decision of this project's).
  if (scaled === 0n) return [cap, pool];
  const issued = pool < scaled ? pool : scaled;
  const perCoupon = over(times(issued, cap), scaled);
  return [perCoupon, atLeastZero(pool - times(perCoupon, coupons))];
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
