/**
 * An SV's own rewards: its coupon for each round that has opened, once, the oldest first. It is looked for when rounds
 * change and when the next may be made, which is never before the latest has opened.
 */
import { type BeneficiaryShare, pickSvRewardRound, SvRewardState, shareSvWeight } from "@callsign/ledger";
import { EACH } from "@callsign/node";
import { textKey } from "../agenda/agenda-row.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, FoundContract } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** An SV has one. */
const STATES_OF_SV = 10;

export function receiveSvRewards(
  deciding: Deciding,
  beneficiaries: readonly BeneficiaryShare[],
): readonly Task[] {
  const { facts, rules, sv } = deciding;
  const info = rules.dsoRules.payload.svs.find(([party]) => party === sv)?.[1];
  const state = info === undefined ? undefined : findState(deciding, info.name);
  if (info === undefined || state === undefined) return [];
  const rounds = facts.rounds.map(({ number, opensAt, cid }) => ({ round: { number }, opensAt, cid }));
  const round = pickSvRewardRound(rounds, state.payload.state.lastRoundCollected.number, facts.now);
  const shares = shareSvWeight(sv, info.svRewardWeight, beneficiaries);
  if (round === undefined || shares.length === 0) return [];
  const command = exerciseDsoRules(rules, sv, "DsoRules_ReceiveSvRewardCoupon", {
    openRoundCid: round.cid,
    rewardStateCid: state.contractId,
    beneficiaries: shares.map(({ beneficiary, weight }) => ({ _1: beneficiary, _2: weight })),
  });
  const key = `receive ${round.cid} ${state.contractId}`;
  return [{ automation: "receive-sv-rewards", key, commands: [command], enough: EACH }];
}

/** Should there be several, the one that is furthest: rounds before it are received already. */
function findState({ facts, hash }: Deciding, name: string): FoundContract<typeof SvRewardState> | undefined {
  return facts
    .list(SvRewardState, textKey(hash, name), STATES_OF_SV)
    .filter(({ payload }) => payload.svName === name)
    .toSorted((a, b) => Number(lastRound(b) - lastRound(a)))[0];
}

function lastRound({ payload }: FoundContract<typeof SvRewardState>): bigint {
  return payload.state.lastRoundCollected.number;
}
