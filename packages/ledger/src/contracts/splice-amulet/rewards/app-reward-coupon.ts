/**
 * AppRewardCoupon: a reward of an app, for its beneficiary or else its provider to mint. Neither signs, so that
 * an absent party does not hold up the rewards.
 */
import { implement } from "../../../engine/template.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { AppRewardCoupon } from "../declarations/reward-coupons.ts";
import { expireInClosedRound } from "../rounds/closed-round.ts";

/** The party that may mint the coupon. */
export function ownerOfAppReward({ provider, beneficiary }: AppRewardCoupon): PartyId {
  return beneficiary ?? provider;
}

export const appRewardCoupon = implement(AppRewardCoupon, {
  signatories: ({ dso }) => [dso],
  observers: ({ provider, beneficiary }) => (beneficiary === null ? [provider] : [provider, beneficiary]),
  ensure: ({ amount }) => amount > 0n,
  choices: {
    AppRewardCoupon_DsoExpire: expireInClosedRound(({ featured, amount }) => ({ featured, amount })),
  },
});
