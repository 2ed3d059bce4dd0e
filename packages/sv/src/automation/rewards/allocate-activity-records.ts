/**
 * A record that the SVs voted to somebody is allocated by one of them, as soon as there are enough unclaimed rewards: the
 * oldest are taken. One record at a time, so that no reward is named twice.
 */
import { UnallocatedUnclaimedActivityRecord, UnclaimedReward } from "@callsign/ledger";
import { BATCH, FEW } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";

export const allocateActivityRecords = defineAutomation({
  name: "allocate-activity-records",
  subjects: ["unclaimed-rewards"],
  decide: ({ facts, rules, task }) => {
    const records = facts
      .list(UnallocatedUnclaimedActivityRecord, FEW)
      .filter(({ payload }) => payload.expiresAt > facts.now);
    if (records.length === 0) return [];
    // If these do not suffice they are merged first, and looked at again.
    const rewards = facts.list(UnclaimedReward, BATCH);
    for (const { contractId, payload } of records) {
      const burnt = takeUntil(rewards, payload.amount);
      if (burnt === null) continue;
      const argument = {
        unallocatedUnclaimedActivityRecordCid: contractId,
        amuletRulesCid: rules.amuletRulesCid,
        unclaimedRewardsToBurnCids: burnt.map((reward) => reward.contractId),
      };
      const key = `allocate ${contractId} ${burnt.at(-1)?.contractId}`;
      return [task(key, "DsoRules_AllocateUnallocatedUnclaimedActivityRecord", argument)];
    }
    return [];
  },
});

/** The oldest rewards that add up to the amount; null if all of them do not. */
function takeUntil(
  rewards: readonly FoundContract<typeof UnclaimedReward>[],
  amount: bigint,
): readonly FoundContract<typeof UnclaimedReward>[] | null {
  let sum = 0n;
  for (const [i, { payload }] of rewards.entries()) {
    sum += payload.amount;
    if (sum >= amount) return rewards.slice(0, i + 1);
  }
  return null;
}
