/**
 * Unclaimed rewards: any SV expires coupons of a closed round, and merges what that leaves, once there is enough
 * of it. The development fund's coupons are merged in the same way.
 */
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { DevelopmentFundCoupon } from "../splice-amulet/declarations/development-fund.ts";
import { claimExpiredRewards } from "../splice-amulet/rewards/claim-expired-rewards.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

export const unclaimedRewardChoices = {
  // The coin's rules are named for historic reasons; the coupons are expired without them, as Splice does.
  DsoRules_ClaimExpiredRewards: byMember(({ update, contract: { dso }, argument: { choiceArg } }) => ({
    unclaimedReward: claimExpiredRewards(update, dso, choiceArg),
  })),
  DsoRules_MergeUnclaimedRewards: byMember(({ update, contract: { config }, argument }) => {
    const { amuletRulesCid, unclaimedRewardCids } = argument;
    requireThat(
      "Number of unclaimed rewards is above the configured threshold",
      BigInt(unclaimedRewardCids.length) > config.numUnclaimedRewardsThreshold,
    );
    const merging = { unclaimedRewardCids };
    const choice = "AmuletRules_MergeUnclaimedRewards";
    return {
      unclaimedReward: update.exercise(AmuletRules, amuletRulesCid, choice, merging).unclaimedRewardCid,
    };
  }),
  DsoRules_MergeUnclaimedDevelopmentFundCoupons: byMember(({ update, argument }) => {
    const choice = "AmuletRules_MergeUnclaimedDevelopmentFundCoupons";
    return { result: update.exercise(AmuletRules, argument.amuletRulesCid, choice, argument.choiceArg) };
  }),
  DsoRules_ExpireDevelopmentFundCoupon: byMember(({ update, argument: { developmentFundCouponCid } }) => {
    const choice = "DevelopmentFundCoupon_DsoExpire";
    return { result: update.exercise(DevelopmentFundCoupon, developmentFundCouponCid, choice, {}) };
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
