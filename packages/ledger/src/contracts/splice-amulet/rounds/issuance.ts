/**
 * The coin that a round gives for each coupon. A year's issuance is cut into rounds, the development fund
 * takes its share, and the rest goes to validators, apps and SVs by their shares. Each pool pays its coupons
 * up to a cap a coupon; what a capped pool leaves goes on to the next tranche, and what the last one leaves is
 * unclaimed. Every product and quotient is rounded on its own, in the order written here: a different order
 * would give other last digits.
 */
import { requireThat } from "../../../engine/failure.ts";
import {
  add,
  type Decimal,
  decimal,
  decimalFromInt,
  divide,
  maximum,
  minimum,
  multiply,
  subtract,
  ZERO,
} from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import type { RelTime } from "../../rel-time.ts";
import type { IssuanceConfig } from "../declarations/amulet-config.ts";
import type { OpenMiningRoundSummary } from "../declarations/issuance.ts";

/** In dollars for each record of a live validator, where the configuration does not say. */
export const DEFAULT_VALIDATOR_FAUCET_CAP = decimal("2.85");
const DEFAULT_DEVELOPMENT_FUND_SHARE = decimal("0.05");
const YEAR = decimalFromInt(365n * DAY);

export interface RoundIssuance {
  readonly perValidatorRewardCoupon: Decimal;
  readonly perFeaturedAppRewardCoupon: Decimal;
  readonly perUnfeaturedAppRewardCoupon: Decimal;
  readonly perSvRewardCoupon: Decimal;
  readonly perValidatorFaucetCoupon: Decimal;
  readonly unclaimedValidatorRewards: Decimal;
  readonly unclaimedAppRewards: Decimal;
  readonly unclaimedSvRewards: Decimal;
  readonly developmentFund: Decimal;
}

export function requireValidSummary(summary: OpenMiningRoundSummary): void {
  requireThat("totalValidatorRewardCoupons >= 0.0", summary.totalValidatorRewardCoupons >= 0n);
  requireThat("totalFeaturedAppRewardCoupons >= 0.0", summary.totalFeaturedAppRewardCoupons >= 0n);
  requireThat("totalUnfeaturedAppRewardCoupons >= 0.0", summary.totalUnfeaturedAppRewardCoupons >= 0n);
  requireThat("totalValidatorFaucetCoupons >= 0", (summary.optTotalValidatorFaucetCoupons ?? 0n) >= 0n);
}

export function computeIssuance(
  round: {
    readonly tickDuration: RelTime;
    readonly amuletPrice: Decimal;
    readonly issuanceConfig: IssuanceConfig;
  },
  summary: OpenMiningRoundSummary,
): RoundIssuance {
  const config = round.issuanceConfig;
  const roundsPerYear = divide(YEAR, decimalFromInt(round.tickDuration.microseconds));
  const inRound = divide(config.amuletToIssuePerYear, roundsPerYear);
  const fundShare = config.optDevelopmentFundPercentage ?? DEFAULT_DEVELOPMENT_FUND_SHARE;
  const developmentFund = multiply(inRound, fundShare);
  const forRewards = subtract(inRound, developmentFund);

  const validatorPool = multiply(forRewards, config.validatorRewardPercentage);
  const validator = tranche(validatorPool, config.validatorRewardCap, summary.totalValidatorRewardCoupons);
  const faucetCapUsd = config.optValidatorFaucetCap ?? DEFAULT_VALIDATOR_FAUCET_CAP;
  const faucet = tranche(
    validator.unclaimed,
    divide(faucetCapUsd, round.amuletPrice),
    decimalFromInt(summary.optTotalValidatorFaucetCoupons ?? 0n),
  );

  const appPool = multiply(forRewards, config.appRewardPercentage);
  const { totalFeaturedAppRewardCoupons: totalFeatured } = summary;
  const totalApp = add(totalFeatured, summary.totalUnfeaturedAppRewardCoupons);
  const app = tranche(appPool, config.unfeaturedAppRewardCap, totalApp);
  // Featured apps are paid like all others, and share what is left up to the rest of their own cap.
  const featuredCap = subtract(config.featuredAppRewardCap, config.unfeaturedAppRewardCap);
  const featured = tranche(app.unclaimed, featuredCap, totalFeatured);

  const sv = issueToSvs(subtract(subtract(forRewards, validatorPool), appPool), summary.totalSvRewardWeight);
  return {
    perValidatorRewardCoupon: validator.perCoupon,
    perFeaturedAppRewardCoupon: add(app.perCoupon, featured.perCoupon),
    perUnfeaturedAppRewardCoupon: app.perCoupon,
    perSvRewardCoupon: sv.perCoupon,
    perValidatorFaucetCoupon: faucet.perCoupon,
    unclaimedValidatorRewards: faucet.unclaimed,
    unclaimedAppRewards: featured.unclaimed,
    unclaimedSvRewards: sv.unclaimed,
    developmentFund,
  };
}

interface Tranche {
  readonly perCoupon: Decimal;
  readonly unclaimed: Decimal;
}

/** As much a coupon as the pool allows, up to the cap. Without coupons it shows what one would have earned. */
function tranche(pool: Decimal, cap: Decimal, totalCoupons: Decimal): Tranche {
  if (totalCoupons <= 0n) return { perCoupon: cap, unclaimed: pool };
  if (cap <= 0n) return { perCoupon: ZERO, unclaimed: pool };
  const scaled = multiply(cap, totalCoupons);
  // So few coupons that even their cap rounds to nothing. Splice divides by zero here: a single such coupon would
  // keep the round from ever issuing, and its rewards from everybody.
  if (scaled === 0n) return { perCoupon: cap, unclaimed: pool };
  const issued = minimum(pool, scaled);
  const perCoupon = divide(multiply(issued, cap), scaled);
  return { perCoupon, unclaimed: left(pool, multiply(perCoupon, totalCoupons)) };
}

/** SVs have no cap: their weights share the whole pool. */
function issueToSvs(pool: Decimal, totalWeight: bigint): Tranche {
  const weight = decimalFromInt(totalWeight);
  const perCoupon = totalWeight === 0n ? pool : divide(pool, weight);
  return { perCoupon, unclaimed: left(pool, multiply(perCoupon, weight)) };
}

/** Rounding up may issue a little more than the pool; then nothing is left. */
function left(pool: Decimal, issued: Decimal): Decimal {
  return maximum(ZERO, subtract(pool, issued));
}
