/**
 * The development fund's coupons. What a round puts aside is unclaimed until the fund's manager gives it to
 * somebody. Before it expires the manager may take it back and the beneficiary may refuse it; afterwards the
 * DSO expires it. Each time the whole amount goes back to the fund.
 */
import { implement } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../../checks/deadline.ts";
import { DevelopmentFundCoupon, UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";

const DEADLINE = "DevelopmentFundCoupon.expiresAt";

export const unclaimedDevelopmentFundCoupon = implement(UnclaimedDevelopmentFundCoupon, {
  signatories: ({ dso }) => [dso],
  ensure: ({ amount }) => amount > 0n,
});

export const developmentFundCoupon = implement(DevelopmentFundCoupon, {
  signatories: ({ dso }) => [dso],
  observers: ({ beneficiary, fundManager }) => [beneficiary, fundManager],
  ensure: ({ amount }) => amount > 0n,
  choices: {
    DevelopmentFundCoupon_Withdraw: {
      controllers: ({ fundManager }) => [fundManager],
      exercise: ({ update, contract: coupon }) => {
        requireWithinDeadline(DEADLINE, update.now, coupon.expiresAt);
        return returnToFund(update, coupon);
      },
    },
    DevelopmentFundCoupon_Reject: {
      controllers: ({ beneficiary }) => [beneficiary],
      exercise: ({ update, contract: coupon }) => {
        requireWithinDeadline(DEADLINE, update.now, coupon.expiresAt);
        return returnToFund(update, coupon);
      },
    },
    DevelopmentFundCoupon_DsoExpire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: coupon }) => {
        requireDeadlineExceeded(DEADLINE, update.now, coupon.expiresAt);
        return returnToFund(update, coupon);
      },
    },
  },
});

function returnToFund(
  update: Update,
  { dso, amount }: DevelopmentFundCoupon,
): { readonly unclaimedDevelopmentFundCouponCid: ContractId } {
  const unclaimed = update.create(UnclaimedDevelopmentFundCoupon, { dso, amount });
  return { unclaimedDevelopmentFundCouponCid: unclaimed };
}
