/**
 * What piles up is merged once there is more of it than the SVs' rules say: rewards that nobody claimed, what the
 * development fund has not given away, the traffic bought for one member. Of a validator's licenses and an SV's reward
 * states there is to be one. The oldest are taken, so that the task is the same on every SV while more come in.
 */
import {
  type Command,
  type ContractId,
  MAX_INT64,
  MemberTraffic,
  type PayloadOf,
  SvRewardState,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorLicense,
} from "@callsign/ledger";
import { type AgendaTemplate, trafficText } from "../agenda/agenda-row.ts";
import { COINS, MARKERS, type Subject } from "../agenda/subject.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, FoundContract, LedgerFacts, Rules } from "./ledger-facts.ts";
import type { Automation, Task } from "./task.ts";

/** Where many wait, so many go at once. More than this are not merged in one transaction, whatever the rules say. */
const LARGE_BATCH = 100;
/** In bytes: where coin costs nothing somebody may buy so much that no contract could hold the sum of a batch. */
const LARGEST_MERGED = MAX_INT64 / BigInt(LARGE_BATCH);
/** How many piles are found at a time; each is also found when it grows. */
const PILES = 1000;

export function listMergesOfRewards({ facts, rules, sv }: Deciding): readonly Task[] {
  const unclaimedRewardCids = pickOldest(listCids(facts, UnclaimedReward), rewardThreshold(rules));
  if (unclaimedRewardCids === null) return [];
  const argument = { amuletRulesCid: rules.amuletRulesCid, unclaimedRewardCids };
  const command = exerciseDsoRules(rules, sv, "DsoRules_MergeUnclaimedRewards", argument);
  return [task("merge-unclaimed-rewards", unclaimedRewardCids, command)];
}

/** The rules have no number for it; that of rewards does. */
export function listMergesOfFund({ facts, rules, sv }: Deciding): readonly Task[] {
  const cids = pickOldest(listCids(facts, UnclaimedDevelopmentFundCoupon), rewardThreshold(rules));
  if (cids === null) return [];
  const choiceArg = { unclaimedDevelopmentFundCouponCids: cids };
  const argument = { amuletRulesCid: rules.amuletRulesCid, choiceArg };
  const command = exerciseDsoRules(rules, sv, "DsoRules_MergeUnclaimedDevelopmentFundCoupons", argument);
  return [task("merge-fund-coupons", cids, command)];
}

/** An SV that was onboarded twice has several reward states; what the others counted is of no use. */
export function listMergesOfRewardStates({ facts, rules, sv }: Deciding, key: bigint): readonly Task[] {
  const bySv = cidsBy(facts.list(SvRewardState, key, LARGE_BATCH), ({ svName }) => svName);
  return [...bySv].flatMap(([svName, all]) => {
    const rewardStateCids = pickOldest(all, 1);
    if (rewardStateCids === null) return [];
    const command = exerciseDsoRules(rules, sv, "DsoRules_MergeSvRewardState", { svName, rewardStateCids });
    return [task("merge-reward-states", rewardStateCids, command)];
  });
}

/** A validator that was onboarded twice has several licenses. */
export function listMergesOfLicenses({ facts, rules, sv }: Deciding, key: bigint): readonly Task[] {
  const byValidator = cidsBy(facts.list(ValidatorLicense, key, LARGE_BATCH), ({ validator }) => validator);
  return [...byValidator.values()].flatMap((all) => {
    const validatorLicenseCids = pickOldest(all, 1);
    if (validatorLicenseCids === null) return [];
    const command = exerciseDsoRules(rules, sv, "DsoRules_MergeValidatorLicense", { validatorLicenseCids });
    return [task("merge-licenses", validatorLicenseCids, command)];
  });
}

/** The key is that of the member, so that what it finds may be of several members. */
export function listMergesOfTraffic({ facts, rules, sv }: Deciding, key: bigint): readonly Task[] {
  const bought = facts.list(MemberTraffic, key, LARGE_BATCH);
  const mergeable = bought.filter(({ payload }) => payload.totalPurchased <= LARGEST_MERGED);
  const byMember = cidsBy(mergeable, trafficText);
  return [...byMember.values()].flatMap((all) => {
    const trafficCids = pickOldest(all, trafficThreshold(rules));
    if (trafficCids === null) return [];
    const argument = { amuletRulesCid: rules.amuletRulesCid, trafficCids };
    const command = exerciseDsoRules(rules, sv, "DsoRules_MergeMemberTrafficContracts", argument);
    return [task("merge-traffic", trafficCids, command)];
  });
}

/** All that is to be merged now, for an SV that has not seen it grow. */
export function listPiles(facts: LedgerFacts): readonly Subject[] {
  const { rules } = facts;
  if (rules === null) return [];
  const { rows } = facts.agenda;
  return [
    MARKERS,
    COINS,
    { kind: "unclaimed-rewards", key: 0n },
    { kind: "fund-coupons", key: 0n },
    ...crowded("traffic", rows.listCrowdedKeys(MemberTraffic, trafficThreshold(rules), PILES)),
    ...crowded("licenses", rows.listCrowdedKeys(ValidatorLicense, 1, PILES)),
    ...crowded("reward-states", rows.listCrowdedKeys(SvRewardState, 1, PILES)),
  ];
}

function crowded(
  kind: "traffic" | "licenses" | "reward-states",
  keys: readonly bigint[],
): readonly Subject[] {
  return keys.map((key) => ({ kind, key }));
}

/** What a key finds may be of several owners. */
function cidsBy<T extends AgendaTemplate>(
  contracts: readonly FoundContract<T>[],
  ownerOf: (payload: PayloadOf<T>) => string,
): ReadonlyMap<string, readonly ContractId[]> {
  const found = new Map<string, ContractId[]>();
  for (const { contractId, payload } of contracts) {
    const cids = found.get(ownerOf(payload)) ?? [];
    cids.push(contractId);
    found.set(ownerOf(payload), cids);
  }
  return found;
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

function task(automation: Automation, cids: readonly ContractId[], command: Command): Task {
  const key = `merge ${cids.length} ${cids[0]} ${cids.at(-1)}`;
  return { automation, key, commands: [command], enough: 1 };
}
