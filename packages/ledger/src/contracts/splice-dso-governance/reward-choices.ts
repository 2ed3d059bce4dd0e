/**
 * An SV's own rewards: in each round it may hand out coupons for its whole weight, once, to any beneficiaries. It may
 * skip rounds but never go back; its reward state counts what it received and what it missed.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { ChoiceCall, SomeChoiceRules } from "../../engine/template.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { int64 } from "../../values/int64.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchAndArchive, fetchChecked } from "../checks/checked-fetch.ts";
import { forDso, forSv } from "../checks/contract-group.ts";
import { SvRewardCoupon } from "../splice-amulet/declarations/reward-coupons.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { Round } from "../splice-amulet/declarations/round-number.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { type RewardState, SvRewardState } from "./declarations/sv-state.ts";
import { firstWithMost } from "./first-with-most.ts";
import { byMember, svInfo } from "./members.ts";

interface Share {
  readonly _1: PartyId;
  readonly _2: bigint;
}

interface Receiving {
  readonly sv: PartyId;
  readonly openRoundCid: ContractId;
  readonly rewardStateCid: ContractId;
  readonly beneficiaries: readonly Share[];
}

export const rewardChoices = {
  DsoRules_ReceiveSvRewardCoupon: {
    controllers: (_rules, { sv }) => [sv],
    exercise: receiveCoupons,
  },
  DsoRules_MergeSvRewardState: byMember(({ update, contract: { dso }, argument }) => {
    const { svName, rewardStateCids } = argument;
    requireThat("Number of SvRewardState contracts to merge is >= 2", rewardStateCids.length >= 2);
    const ofSv = forSv(dso, svName);
    const states = rewardStateCids.map((cid) => fetchAndArchive(update, SvRewardState, cid, ofSv));
    // Nothing but the last round matters; what else was counted is not added up.
    const latest = firstWithMost(states, ({ state }) => state.lastRoundCollected.number);
    return { svRewardState: update.create(SvRewardState, latest) };
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;

function receiveCoupons({ update, contract: rules, argument }: ChoiceCall<DsoRules, Receiving>) {
  const { dso } = rules;
  const { sv, beneficiaries } = argument;
  const info = svInfo(rules, sv) ?? abort("SV is not an SV");
  const { round, opensAt } = fetchChecked(update, OpenMiningRound, argument.openRoundCid, forDso(dso));
  requireThat("OpenRound is open", opensAt <= update.now);
  const before = fetchAndArchive(update, SvRewardState, argument.rewardStateCid, forSv(dso, info.name));
  const state = stateAfter(before.state, round, beneficiaries.length);
  const svRewardState = update.create(SvRewardState, { ...before, state });
  let total = 0n;
  for (const { _2: weight } of beneficiaries) total = int64(total + weight);
  requireThat("Total beneficiary weight matches SV operator weight", total === info.svRewardWeight);
  const receivers = new Set(beneficiaries.map(({ _1: beneficiary }) => beneficiary));
  requireThat("At most one coupon per beneficiary", receivers.size === beneficiaries.length);
  const svRewardCoupons = beneficiaries.map(({ _1: beneficiary, _2: weight }) =>
    update.create(SvRewardCoupon, { dso, sv, beneficiary, round, weight }),
  );
  return { svRewardState, svRewardCoupons };
}

function stateAfter(state: RewardState, round: Round, couponCount: number): RewardState {
  const last = state.lastRoundCollected;
  const label =
    `Round ${Round.show(round)} is greater than the last round a reward has been received for ` +
    Round.show(last);
  requireThat(label, last.number < round.number);
  return {
    numRoundsMissed: int64(state.numRoundsMissed + (round.number - last.number - 1n)),
    numRoundsCollected: int64(state.numRoundsCollected + 1n),
    lastRoundCollected: round,
    numCouponsIssued: int64(state.numCouponsIssued + BigInt(couponCount)),
  };
}
