/**
 * What piles up is merged once there is more of it than the SVs' rules say: rewards that nobody claimed, what the
 * development fund has not given away, the traffic bought for one member. The oldest are taken, so that the task is
 * the same on every SV while more come in.
 */
import {
  type ContractId,
  MemberTraffic,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from "@callsign/ledger";
import { trafficText } from "../agenda/agenda-row.ts";
import type { Subject } from "../agenda/subject.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, LedgerFacts, Rules } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** Where many wait, so many go at once. More than this are not merged in one transaction, whatever the rules say. */
const LARGE_BATCH = 100;
/** How many piles are found at a time; each is also found when it grows. */
const PILES = 1000;

export function listMergesOfRewards({ facts, rules, sv }: Deciding): readonly Task[] {
  const unclaimedRewardCids = pickOldest(listCids(facts, UnclaimedReward), rewardThreshold(rules));
  if (unclaimedRewardCids === null) return [];
  const argument = { amuletRulesCid: rules.amuletRulesCid, unclaimedRewardCids };
  const command = exerciseDsoRules(rules, sv, "DsoRules_MergeUnclaimedRewards", argument);
  const key = keyOf(unclaimedRewardCids);
  return [{ automation: "merge-unclaimed-rewards", key, command, enough: 1 }];
}

/** The rules have no number for it; that of rewards does. */
export function listMergesOfFund({ facts, rules, sv }: Deciding): readonly Task[] {
  const cids = pickOldest(listCids(facts, UnclaimedDevelopmentFundCoupon), rewardThreshold(rules));
  if (cids === null) return [];
  const choiceArg = { unclaimedDevelopmentFundCouponCids: cids };
  const argument = { amuletRulesCid: rules.amuletRulesCid, choiceArg };
  const command = exerciseDsoRules(rules, sv, "DsoRules_MergeUnclaimedDevelopmentFundCoupons", argument);
  return [{ automation: "merge-fund-coupons", key: keyOf(cids), command, enough: 1 }];
}

/** The key is that of the member, so that what it finds may be of several members. */
export function listMergesOfTraffic({ facts, rules, sv }: Deciding, key: bigint): readonly Task[] {
  const byMember = new Map<string, ContractId[]>();
  for (const { contractId, payload } of facts.list(MemberTraffic, key, LARGE_BATCH)) {
    const member = trafficText(payload);
    byMember.set(member, [...(byMember.get(member) ?? []), contractId]);
  }
  return [...byMember.values()].flatMap((all) => {
    const trafficCids = pickOldest(all, trafficThreshold(rules));
    if (trafficCids === null) return [];
    const argument = { amuletRulesCid: rules.amuletRulesCid, trafficCids };
    const command = exerciseDsoRules(rules, sv, "DsoRules_MergeMemberTrafficContracts", argument);
    return [{ automation: "merge-traffic" as const, key: keyOf(trafficCids), command, enough: 1 }];
  });
}

/** All that is to be merged now, for an SV that has not seen it grow. */
export function listPiles(facts: LedgerFacts): readonly Subject[] {
  const { rules } = facts;
  if (rules === null) return [];
  const traffic = facts.agenda.rows.listCrowdedKeys(MemberTraffic, trafficThreshold(rules), PILES);
  return [
    { kind: "unclaimed-rewards", key: 0n },
    { kind: "fund-coupons", key: 0n },
    ...traffic.map((key) => ({ kind: "traffic", key }) as const),
  ];
}

function listCids(
  { agenda }: LedgerFacts,
  template: typeof UnclaimedReward | typeof UnclaimedDevelopmentFundCoupon,
): readonly ContractId[] {
  return agenda.rows.listByKey(template, 0n, LARGE_BATCH).map(({ contractId }) => contractId);
}

function pickOldest(cids: readonly ContractId[], threshold: number): readonly ContractId[] | null {
  if (cids.length <= threshold) return null;
  return cids.length >= LARGE_BATCH ? cids : cids.slice(0, threshold + 1);
}

/** Merging one contract would never end. */
function rewardThreshold({ dsoRules }: Rules): number {
  return Math.max(Number(dsoRules.payload.config.numUnclaimedRewardsThreshold), 1);
}

function trafficThreshold({ dsoRules }: Rules): number {
  return Math.max(Number(dsoRules.payload.config.numMemberTrafficContractsThreshold), 1);
}

function keyOf(cids: readonly ContractId[]): string {
  return `merge ${cids.length} ${cids[0]} ${cids.at(-1)}`;
}
