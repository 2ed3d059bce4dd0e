/**
 * ValidatorRewardCoupon: a reward for what a user burned. The user's validator mints it, by the right that the
 * user gave it, together with the DSO.
 */
import { implement } from "../../../engine/template.ts";
import { requireMatchingContract } from "../../checks/matching-contract.ts";
import { ValidatorRight } from "../declarations/amulet.ts";
import { ValidatorRewardCoupon } from "../declarations/reward-coupons.ts";
import { expireInClosedRound } from "../rounds/closed-round.ts";

export const validatorRewardCoupon = implement(ValidatorRewardCoupon, {
  signatories: ({ dso }) => [dso],
  observers: ({ user }) => [user],
  ensure: ({ amount }) => amount > 0n,
  choices: {
    ValidatorRewardCoupon_DsoExpire: expireInClosedRound(({ amount }) => ({ amount })),
    ValidatorRewardCoupon_ArchiveAsValidator: {
      controllers: ({ dso }, { validator }) => [dso, validator],
      exercise: ({ update, contract: { dso, user }, argument: { validator, rightCid } }) => {
        requireMatchingContract(update, ValidatorRight, rightCid, { dso, user, validator });
        return {};
      },
    },
  },
});
