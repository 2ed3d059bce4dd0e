/** The choices of AmuletRules on rounds after they were open, on rewards and on the development fund. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { nonConsuming } from "../../../engine/declaration.ts";
import { OpenMiningRoundSummary } from "./issuance.ts";

const contractIds = list(contractId);

export const rewardChoices = {
  AmuletRules_MiningRound_StartIssuing: nonConsuming(
    { miningRoundCid: contractId, summary: OpenMiningRoundSummary },
    record({ issuingRoundCid: contractId, unclaimedDevelopmentFundCouponCid: optional(contractId) }),
  ),
  AmuletRules_MiningRound_Close: nonConsuming(
    { issuingRoundCid: contractId },
    record({ closedRoundCid: contractId }),
  ),
  AmuletRules_MiningRound_Archive: nonConsuming({ closedRoundCid: contractId }),
  AmuletRules_ClaimExpiredRewards: nonConsuming(
    {
      closedRoundCid: contractId,
      validatorRewardCouponCids: contractIds,
      appCouponCids: contractIds,
      svRewardCouponCids: contractIds,
      optValidatorFaucetCouponCids: optional(contractIds),
      optValidatorLivenessActivityRecordCids: optional(contractIds),
    },
    record({ unclaimedRewardCid: optional(contractId) }),
  ),
  AmuletRules_MergeUnclaimedRewards: nonConsuming(
    { unclaimedRewardCids: contractIds },
    record({ unclaimedRewardCid: contractId }),
  ),
  AmuletRules_MergeUnclaimedDevelopmentFundCoupons: nonConsuming(
    { unclaimedDevelopmentFundCouponCids: contractIds },
    record({ unclaimedDevelopmentFundCouponCid: contractId }),
  ),
  AmuletRules_AllocateDevelopmentFundCoupon: nonConsuming(
    {
      unclaimedDevelopmentFundCouponCids: contractIds,
      beneficiary: party,
      amount: numeric,
      expiresAt: time,
      reason: text,
      fundManager: party,
    },
    record({
      developmentFundCouponCid: contractId,
      optUnclaimedDevelopmentFundCouponCid: optional(contractId),
    }),
  ),
  AmuletRules_ConvertFeaturedAppActivityMarkers: nonConsuming(
    { markerCids: contractIds, openMiningRoundCid: contractId, observers: optional(list(party)) },
    record({ appRewardCouponCids: contractIds }),
  ),
} as const;
