/** Coupons of the development fund that were not minted in time. */
import { DevelopmentFundCoupon } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireFundCoupons = expireAtItsTime("expire-fund-coupons", [
  {
    template: DevelopmentFundCoupon,
    command: ({ exercise }, developmentFundCouponCid) =>
      exercise("DsoRules_ExpireDevelopmentFundCoupon", { developmentFundCouponCid }),
  },
]);
