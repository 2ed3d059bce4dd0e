/** Splice.Issuance: what the SVs counted of a round's coupons before its rewards are set. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { int64, numeric } from "../../../daml/scalars.ts";

export const OpenMiningRoundSummary = record("OpenMiningRoundSummary", {
  totalValidatorRewardCoupons: numeric,
  totalFeaturedAppRewardCoupons: numeric,
  totalUnfeaturedAppRewardCoupons: numeric,
  totalSvRewardWeight: int64,
  optTotalValidatorFaucetCoupons: optional(int64),
});
export type OpenMiningRoundSummary = ValueOf<typeof OpenMiningRoundSummary>;
