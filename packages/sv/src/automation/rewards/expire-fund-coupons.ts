/** Coupons of the development fund that were not minted in time. */
import { DevelopmentFundCoupon } from "@callsign/ledger";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireFundCoupons = expireAtItsTime("expire-fund-coupons", [
  {
    template: DevelopmentFundCoupon,
    command: ({ rules, sv }, developmentFundCouponCid) =>
      exerciseDsoRules(rules, sv, "DsoRules_ExpireDevelopmentFundCoupon", { developmentFundCouponCid }),
  },
]);
