/**
 * What the SVs voted to somebody is allocated by one of them, as soon as there are enough rewards that nobody claimed:
 * the oldest are taken. One record at a time, so that no reward is named twice.
 */
import { UnallocatedUnclaimedActivityRecord, UnclaimedReward } from "@callsign/ledger";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, FoundContract } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

const RECORDS = 100;
/** If these do not suffice they are merged first, and looked at again. */
const REWARDS = 100;

export function allocateRecord(deciding: Deciding): Task | null {
  const { facts, rules, sv } = deciding;
  const records = facts
    .list(UnallocatedUnclaimedActivityRecord, 0n, RECORDS)
    .filter(({ payload }) => payload.expiresAt > facts.now);
  if (records.length === 0) return null;
  const rewards = facts.list(UnclaimedReward, 0n, REWARDS);
  for (const { contractId, payload } of records) {
    const enough = takeEnough(rewards, payload.amount);
    if (enough === null) continue;
    const command = exerciseDsoRules(rules, sv, "DsoRules_AllocateUnallocatedUnclaimedActivityRecord", {
      unallocatedUnclaimedActivityRecordCid: contractId,
      amuletRulesCid: rules.amuletRulesCid,
      unclaimedRewardsToBurnCids: enough.map((reward) => reward.contractId),
    });
    const key = `allocate ${contractId} ${enough.at(-1)?.contractId}`;
    return { automation: "allocate-activity-records", key, commands: [command], enough: 1 };
  }
  return null;
}

function takeEnough(
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
