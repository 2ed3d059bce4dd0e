/**
 * The records of validators that were up in a round, each worth the same. The old faucet coupon needed the
 * validator's signature, also to expire it; its successor leaves the validator an observer.
 */
import { implement } from "../../../engine/template.ts";
import { ValidatorFaucetCoupon, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";
import { expireInClosedRound } from "../rounds/closed-round.ts";

export const validatorFaucetCoupon = implement(ValidatorFaucetCoupon, {
  signatories: ({ dso, validator }) => [dso, validator],
  choices: {
    ValidatorFaucetCoupon_DsoExpire: expireInClosedRound(() => ({})),
  },
});

export const validatorLivenessActivityRecord = implement(ValidatorLivenessActivityRecord, {
  signatories: ({ dso }) => [dso],
  observers: ({ validator }) => [validator],
  choices: {
    ValidatorLivenessActivityRecord_DsoExpire: expireInClosedRound(() => ({})),
  },
});
