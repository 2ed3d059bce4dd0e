/** Merges coupons of the development fund that were not given away. */
import { UnclaimedDevelopmentFundCoupon } from "@callsign/ledger";
import { FUND_COUPONS } from "../../kinds/subject.ts";
import { BATCH } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { mergeOldest, rewardThreshold } from "../merge-oldest.ts";

export const mergeFundCoupons = defineAutomation({
  name: "merge-fund-coupons",
  subjects: ["fund-coupons"],
  listPiles: () => [FUND_COUPONS],
  decide: ({ facts, rules, exercise }) => {
    const rows = facts.agenda.rows.list(UnclaimedDevelopmentFundCoupon, BATCH);
    const cids = rows.map(({ contractId }) => contractId);
    return mergeOldest(cids, rewardThreshold(rules), (unclaimedDevelopmentFundCouponCids) => {
      const choiceArg = { unclaimedDevelopmentFundCouponCids };
      const argument = { amuletRulesCid: rules.amuletRulesCid, choiceArg };
      return exercise("DsoRules_MergeUnclaimedDevelopmentFundCoupons", argument);
    });
  },
});
