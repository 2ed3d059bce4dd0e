/**
 * Coupons of a closed round are expired in batches, and what they would have earned becomes one unclaimed reward.
 * AmuletRules and DsoRules both offer this, each with the expired coupons right below its own choice.
 */
import type { ArgumentOf } from "../../../engine/declaration.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { add, decimalFromInt, multiply, sum, ZERO } from "../../../values/decimal.ts";
import { int64 } from "../../../values/int64.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../declarations/reward-coupons.ts";
import { ClosedMiningRound } from "../declarations/round.ts";
import { ValidatorFaucetCoupon, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";

type ExpiredRewards = ArgumentOf<(typeof AmuletRules)["choices"]["AmuletRules_ClaimExpiredRewards"]>;

const NONE: readonly ContractId[] = [];

/** The unclaimed reward, if the coupons are worth anything. */
export function claimExpiredRewards(
  update: Update,
  dso: PartyId,
  expired: ExpiredRewards,
): ContractId | null {
  const { closedRoundCid } = expired;
  const closed = { closedRoundCid };
  const round = fetchChecked(update, ClosedMiningRound, closedRoundCid, forDso(dso));
  const validator = sum(
    expired.validatorRewardCouponCids.map(
      (cid) => update.exercise(ValidatorRewardCoupon, cid, "ValidatorRewardCoupon_DsoExpire", closed).amount,
    ),
  );
  const faucetCids = expired.optValidatorFaucetCouponCids ?? NONE;
  for (const cid of faucetCids) {
    update.exercise(ValidatorFaucetCoupon, cid, "ValidatorFaucetCoupon_DsoExpire", closed);
  }
  const livenessCids = expired.optValidatorLivenessActivityRecordCids ?? NONE;
  for (const cid of livenessCids) {
    const choice = "ValidatorLivenessActivityRecord_DsoExpire";
    update.exercise(ValidatorLivenessActivityRecord, cid, choice, closed);
  }
  const app = { featured: ZERO, unfeatured: ZERO };
  for (const cid of expired.appCouponCids) {
    const coupon = update.exercise(AppRewardCoupon, cid, "AppRewardCoupon_DsoExpire", closed);
    const kind = coupon.featured ? "featured" : "unfeatured";
    app[kind] = add(app[kind], coupon.amount);
  }
  let svWeight = 0n;
  for (const cid of expired.svRewardCouponCids) {
    const { weight } = update.exercise(SvRewardCoupon, cid, "SvRewardCoupon_DsoExpire", closed);
    svWeight = int64(svWeight + weight);
  }
  const live = BigInt(faucetCids.length + livenessCids.length);
  const amount = sum([
    multiply(validator, round.issuancePerValidatorRewardCoupon),
    multiply(decimalFromInt(live), round.optIssuancePerValidatorFaucetCoupon ?? ZERO),
    multiply(app.featured, round.issuancePerFeaturedAppRewardCoupon),
    multiply(app.unfeatured, round.issuancePerUnfeaturedAppRewardCoupon),
    multiply(decimalFromInt(svWeight), round.issuancePerSvRewardCoupon),
  ]);
  return amount <= 0n ? null : update.create(UnclaimedReward, { dso, amount });
}
