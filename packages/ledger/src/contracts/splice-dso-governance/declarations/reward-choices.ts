/** The choices of DsoRules by which SVs receive their rewards and expire unclaimed ones. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record, tuple } from "../../../daml/record.ts";
import { contractId, int64, party, text } from "../../../daml/scalars.ts";
import { nonConsuming } from "../../../engine/declaration.ts";
import { AmuletRules } from "../../splice-amulet/declarations/amulet-rules.ts";
import { DevelopmentFundCoupon } from "../../splice-amulet/declarations/development-fund.ts";

const sv = optional(party);
const amuletRulesCid = contractId;
const { AmuletRules_MergeUnclaimedDevelopmentFundCoupons: mergeOfFund } = AmuletRules.choices;

export const rewardChoices = {
  DsoRules_ReceiveSvRewardCoupon: nonConsuming(
    {
      sv: party,
      openRoundCid: contractId,
      rewardStateCid: contractId,
      beneficiaries: list(tuple(party, int64)),
    },
    record({ svRewardState: contractId, svRewardCoupons: list(contractId) }),
  ),
  DsoRules_MergeSvRewardState: nonConsuming(
    { svName: text, rewardStateCids: list(contractId), sv },
    record({ svRewardState: contractId }),
  ),
  DsoRules_ClaimExpiredRewards: nonConsuming(
    { amuletRulesCid, choiceArg: AmuletRules.choices.AmuletRules_ClaimExpiredRewards.argument, sv },
    record({ unclaimedReward: optional(contractId) }),
  ),
  DsoRules_MergeUnclaimedRewards: nonConsuming(
    { amuletRulesCid, unclaimedRewardCids: list(contractId), sv },
    record({ unclaimedReward: contractId }),
  ),
  DsoRules_MergeUnclaimedDevelopmentFundCoupons: nonConsuming(
    { amuletRulesCid, choiceArg: mergeOfFund.argument, sv: party },
    record({ result: mergeOfFund.result }),
  ),
  DsoRules_ExpireDevelopmentFundCoupon: nonConsuming(
    { developmentFundCouponCid: contractId, sv: party },
    record({ result: DevelopmentFundCoupon.choices.DevelopmentFundCoupon_DsoExpire.result }),
  ),
  DsoRules_AllocateUnallocatedUnclaimedActivityRecord: nonConsuming(
    {
      unallocatedUnclaimedActivityRecordCid: contractId,
      amuletRulesCid,
      unclaimedRewardsToBurnCids: list(contractId),
      sv: party,
    },
    record({ unclaimedActivityRecordCid: contractId, optUnclaimedRewardCid: optional(contractId) }),
  ),
  DsoRules_ExpireUnallocatedUnclaimedActivityRecord: nonConsuming({
    unallocatedUnclaimedActivityRecordCid: contractId,
    sv: party,
  }),
  DsoRules_ExpireUnclaimedActivityRecord: nonConsuming(
    { unclaimedActivityRecordCid: contractId, sv: party },
    record({ unclaimedRewardCid: contractId }),
  ),
} as const;
