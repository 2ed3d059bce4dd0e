/** SvRewardCoupon: a share of the SVs' rewards of a round. The SV sees what becomes of it, the beneficiary mints it. */
import { implement } from "../../../engine/template.ts";
import { SvRewardCoupon } from "../declarations/reward-coupons.ts";
import { expireInClosedRound } from "../rounds/closed-round.ts";

export const svRewardCoupon = implement(SvRewardCoupon, {
  signatories: ({ dso }) => [dso],
  observers: ({ beneficiary, sv }) => [beneficiary, sv],
  ensure: ({ weight }) => weight > 0n,
  choices: {
    SvRewardCoupon_DsoExpire: expireInClosedRound(({ weight }) => ({ weight })),
    SvRewardCoupon_ArchiveAsBeneficiary: {
      controllers: ({ beneficiary }) => [beneficiary],
      exercise: () => ({}),
    },
  },
});
