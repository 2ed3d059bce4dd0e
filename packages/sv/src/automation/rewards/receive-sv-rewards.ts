/**
 * An SV's own rewards: its coupon for each round that has opened, once, the oldest first. It is decided on when rounds
 * change and when the next may be made, which is never before the latest has opened.
 */
import { pickSvRewardRound, SvRewardState, shareSvWeight } from "@callsign/ledger";
import { textKey } from "../../kinds/keys.ts";
import { FEW } from "../../limits/limits.ts";
import { type Deciding, defineAutomation } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";
import { hasOpenRounds, listNextRoundMoments } from "../rounds/open-rounds.ts";

export const receiveSvRewards = defineAutomation({
  name: "receive-sv-rewards",
  subjects: ["rounds"],
  moments: listNextRoundMoments,
  shownMoments: ({ rounds }) => rounds.map(({ opensAt }) => opensAt),
  decide: (deciding) => {
    const { facts, rules, sv, beneficiaries, task } = deciding;
    const info = rules.dsoRules.payload.svs.find(([party]) => party === sv)?.[1];
    const state = info === undefined ? undefined : findState(deciding, info.name);
    if (!hasOpenRounds(facts) || info === undefined || state === undefined) return [];
    const rounds = facts.rounds.map(({ number, opensAt, cid }) => ({ round: { number }, opensAt, cid }));
    const round = pickSvRewardRound(rounds, state.payload.state.lastRoundCollected.number, facts.now);
    const shares = shareSvWeight(sv, info.svRewardWeight, beneficiaries);
    if (round === undefined || shares.length === 0) return [];
    const argument = {
      openRoundCid: round.cid,
      rewardStateCid: state.contractId,
      beneficiaries: shares.map(({ beneficiary, weight }) => ({ _1: beneficiary, _2: weight })),
    };
    const key = `receive ${round.cid} ${state.contractId}`;
    return [task(key, "DsoRules_ReceiveSvRewardCoupon", argument, "each")];
  },
});

/** Should there be several, the one that is furthest: rounds before it are received already. */
function findState({ facts, hash }: Deciding, name: string): FoundContract<typeof SvRewardState> | undefined {
  return facts
    .listBy(SvRewardState, "ownerKey", textKey(hash, name), FEW)
    .filter(({ payload }) => payload.svName === name)
    .toSorted((a, b) => Number(lastRound(b) - lastRound(a)))[0];
}

function lastRound({ payload }: FoundContract<typeof SvRewardState>): bigint {
  return payload.state.lastRoundCollected.number;
}
