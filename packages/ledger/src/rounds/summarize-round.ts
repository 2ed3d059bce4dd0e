/**
 * The totals of a round's coupons, which decide what each of them is worth. Every SV counts for itself, and the
 * round starts issuing only if a quorum has counted the same: nothing but the coupons themselves may matter here.
 */
import { type Decimal, sum } from "../values/decimal.ts";
import { int64 } from "../values/int64.ts";

/** A round's coupons, by kind. */
export interface RoundCoupons {
  readonly validatorRewardCoupons: readonly { readonly amount: Decimal }[];
  readonly appRewardCoupons: readonly { readonly amount: Decimal; readonly featured: boolean }[];
  readonly svRewardCoupons: readonly { readonly weight: bigint }[];
  /** Liveness records, and faucet coupons if any are left from before there were records. */
  readonly validatorRecordCount: number;
}

export interface RoundSummary {
  readonly totalValidatorRewardCoupons: Decimal;
  readonly totalFeaturedAppRewardCoupons: Decimal;
  readonly totalUnfeaturedAppRewardCoupons: Decimal;
  readonly totalSvRewardWeight: bigint;
  readonly optTotalValidatorFaucetCoupons: bigint;
}

/** Records count for nothing in a round whose configuration pays nothing for them; an absent cap is a positive one. */
export function summarizeRound(coupons: RoundCoupons, validatorFaucetCap: Decimal | null): RoundSummary {
  const { validatorRewardCoupons, appRewardCoupons, svRewardCoupons, validatorRecordCount } = coupons;
  const paysRecords = validatorFaucetCap === null || validatorFaucetCap > 0n;
  let weight = 0n;
  for (const coupon of svRewardCoupons) weight = int64(weight + coupon.weight);
  return {
    totalValidatorRewardCoupons: totalAmount(validatorRewardCoupons),
    totalFeaturedAppRewardCoupons: totalAmount(appRewardCoupons.filter(({ featured }) => featured)),
    totalUnfeaturedAppRewardCoupons: totalAmount(appRewardCoupons.filter(({ featured }) => !featured)),
    totalSvRewardWeight: weight,
    optTotalValidatorFaucetCoupons: paysRecords ? BigInt(validatorRecordCount) : 0n,
  };
}

function totalAmount(coupons: readonly { readonly amount: Decimal }[]): Decimal {
  return sum(coupons.map(({ amount }) => amount));
}
