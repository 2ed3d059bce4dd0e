/** Splice.Amulet, the development fund: its unclaimed share of issuance, and the coupons its manager allocates. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";

const place = { package: amuletPackage, module: "Splice.Amulet" } as const;
const BackToTheFund = record({ unclaimedDevelopmentFundCouponCid: contractId });

export const UnclaimedDevelopmentFundCoupon = declareTemplate({
  ...place,
  entity: "UnclaimedDevelopmentFundCoupon",
  fields: { dso: party, amount: numeric },
});
export type UnclaimedDevelopmentFundCoupon = ValueOf<(typeof UnclaimedDevelopmentFundCoupon)["record"]>;

export const DevelopmentFundCoupon = declareTemplate({
  ...place,
  entity: "DevelopmentFundCoupon",
  fields: {
    dso: party,
    beneficiary: party,
    fundManager: party,
    amount: numeric,
    expiresAt: time,
    reason: text,
  },
  choices: {
    DevelopmentFundCoupon_Withdraw: consuming({ reason: text }, BackToTheFund),
    DevelopmentFundCoupon_Reject: consuming({ reason: text }, BackToTheFund),
    DevelopmentFundCoupon_DsoExpire: consuming({}, BackToTheFund),
  },
});
export type DevelopmentFundCoupon = ValueOf<(typeof DevelopmentFundCoupon)["record"]>;
