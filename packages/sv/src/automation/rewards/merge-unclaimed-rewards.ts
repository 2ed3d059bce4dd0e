/** Merges rewards that nobody claimed, unless a record that the SVs voted for is to be allocated from them. */
import { UnclaimedReward } from "@callsign/ledger";
import { UNCLAIMED_REWARDS } from "../../kinds/subject.ts";
import { BATCH } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { mergeOldest, rewardThreshold } from "../merge-oldest.ts";
import { allocateActivityRecords } from "./allocate-activity-records.ts";

export const mergeUnclaimedRewards = defineAutomation({
  name: "merge-unclaimed-rewards",
  subjects: ["unclaimed-rewards"],
  listPiles: () => [UNCLAIMED_REWARDS],
  decide: (deciding, subject) => {
    const { facts, rules, exercise, isPaused } = deciding;
    const { name, decide } = allocateActivityRecords;
    if (!isPaused(name) && decide(deciding, subject).length > 0) return [];
    const cids = facts.agenda.rows.list(UnclaimedReward, BATCH).map(({ contractId }) => contractId);
    return mergeOldest(cids, rewardThreshold(rules), (unclaimedRewardCids) => {
      const argument = { amuletRulesCid: rules.amuletRulesCid, unclaimedRewardCids };
      return exercise("DsoRules_MergeUnclaimedRewards", argument);
    });
  },
});
