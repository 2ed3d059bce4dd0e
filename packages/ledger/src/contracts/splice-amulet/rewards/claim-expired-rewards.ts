/**
 * Coupons of a closed round are expired in batches, and what they would have earned becomes one unclaimed reward.
 * AmuletRules and DsoRules both offer this, each with the expired coupons right below its own choice.
 */
import type { ArgumentOf } from "../../../engine/declaration.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { add, type Decimal, decimalFromInt, multiply, sum, ZERO } from "../../../values/decimal.ts";
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
  const round = fetchChecked(update, ClosedMiningRound, closedRoundCid, forDso(dso));
  const validator = expireValidatorCoupons(update, expired.validatorRewardCouponCids, closedRoundCid);
  const faucetCids = expired.optValidatorFaucetCouponCids ?? NONE;
  const livenessCids = expired.optValidatorLivenessActivityRecordCids ?? NONE;
  expireActivityRecords(update, faucetCids, livenessCids, closedRoundCid);
  const live = decimalFromInt(BigInt(faucetCids.length + livenessCids.length));
  const app = expireAppCoupons(update, expired.appCouponCids, closedRoundCid);
  const svWeight = decimalFromInt(expireSvCoupons(update, expired.svRewardCouponCids, closedRoundCid));
  const amount = sum([
    multiply(validator, round.issuancePerValidatorRewardCoupon),
    multiply(live, round.optIssuancePerValidatorFaucetCoupon ?? ZERO),
    multiply(app.featured, round.issuancePerFeaturedAppRewardCoupon),
    multiply(app.unfeatured, round.issuancePerUnfeaturedAppRewardCoupon),
    multiply(svWeight, round.issuancePerSvRewardCoupon),
  ]);
  return amount <= 0n ? null : update.create(UnclaimedReward, { dso, amount });
}

function expireValidatorCoupons(
  update: Update,
  couponCids: readonly ContractId[],
  closedRoundCid: ContractId,
): Decimal {
  const choice = "ValidatorRewardCoupon_DsoExpire";
  return sum(
    couponCids.map((cid) => update.exercise(ValidatorRewardCoupon, cid, choice, { closedRoundCid }).amount),
  );
}

function expireActivityRecords(
  update: Update,
  faucetCids: readonly ContractId[],
  livenessCids: readonly ContractId[],
  closedRoundCid: ContractId,
): void {
  for (const cid of faucetCids) {
    update.exercise(ValidatorFaucetCoupon, cid, "ValidatorFaucetCoupon_DsoExpire", { closedRoundCid });
  }
  for (const cid of livenessCids) {
    const choice = "ValidatorLivenessActivityRecord_DsoExpire";
    update.exercise(ValidatorLivenessActivityRecord, cid, choice, { closedRoundCid });
  }
}

function expireAppCoupons(
  update: Update,
  couponCids: readonly ContractId[],
  closedRoundCid: ContractId,
): { readonly featured: Decimal; readonly unfeatured: Decimal } {
  const totals = { featured: ZERO, unfeatured: ZERO };
  for (const cid of couponCids) {
    const expired = update.exercise(AppRewardCoupon, cid, "AppRewardCoupon_DsoExpire", { closedRoundCid });
    const kind = expired.featured ? "featured" : "unfeatured";
    totals[kind] = add(totals[kind], expired.amount);
  }
  return totals;
}

function expireSvCoupons(
  update: Update,
  couponCids: readonly ContractId[],
  closedRoundCid: ContractId,
): bigint {
  let weight = 0n;
  for (const cid of couponCids) {
    const expired = update.exercise(SvRewardCoupon, cid, "SvRewardCoupon_DsoExpire", { closedRoundCid });
    weight = int64(weight + expired.weight);
  }
  return weight;
}
