/**
 * ValidatorRewardCoupon: a reward for what a user burned. The user's validator mints it, by the right that the
 * user gave it, together with the DSO.
 */
import { implement } from "../../../engine/template.ts";
import { ValidatorRewardCoupon } from "../declarations/reward-coupons.ts";
import { requireClosedRound } from "../rounds/closed-round.ts";
import { requireValidatorRight } from "./matching-rights.ts";

export const validatorRewardCoupon = implement(ValidatorRewardCoupon, {
  signatories: ({ dso }) => [dso],
  observers: ({ user }) => [user],
  ensure: ({ amount }) => amount > 0n,
  choices: {
    ValidatorRewardCoupon_DsoExpire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: coupon, argument: { closedRoundCid } }) => {
        requireClosedRound(update, coupon, closedRoundCid);
        return { amount: coupon.amount };
      },
    },
    ValidatorRewardCoupon_ArchiveAsValidator: {
      controllers: ({ dso }, { validator }) => [dso, validator],
      exercise: ({ update, contract: { dso, user }, argument: { validator, rightCid } }) => {
        requireValidatorRight(update, rightCid, { dso, user, validator });
        return {};
      },
    },
  },
});
