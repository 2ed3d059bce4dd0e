/** The DSO's work on rounds, for stories over several of them: advance, issue, close, expire. */
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { UnclaimedReward } from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { Decimal } from "../src/values/decimal.ts";
import type { SandboxNetwork } from "./network-fixture.ts";
import { couponsLeftOf, summaryOf } from "./round-coupons.ts";

/** Rounds advance by one; the one that was open longest starts issuing; those that issued long enough close. */
export function runNextIssuance(network: SandboxNetwork, amuletPrice?: Decimal): void {
  const { sandbox, dso } = network;
  network.advanceRounds(amuletPrice);
  const as = { actAs: [dso] };
  for (const { contractId, payload } of sandbox.active(SummarizingMiningRound)) {
    const summary = summaryOf(sandbox, payload.round.number);
    const argument = { miningRoundCid: contractId, summary };
    sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_MiningRound_StartIssuing", argument, as);
  }
  for (const { contractId, payload } of sandbox.active(IssuingMiningRound)) {
    if (payload.targetClosesAt > sandbox.now) continue;
    const argument = { issuingRoundCid: contractId };
    sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_MiningRound_Close", argument, as);
  }
}

/** Expires every coupon of a closed round, in one go. */
export function claimExpiredRewards(network: SandboxNetwork, closed: ContractId): ContractId | null {
  const { sandbox, dso } = network;
  const { number } = sandbox.payloadOf(ClosedMiningRound, closed).round;
  const { livenessRecordCids, faucetCouponCids, ...coupons } = couponsLeftOf(sandbox, number);
  const argument = {
    closedRoundCid: closed,
    ...coupons,
    optValidatorFaucetCouponCids: faucetCouponCids,
    optValidatorLivenessActivityRecordCids: livenessRecordCids,
  };
  const as = { actAs: [dso] };
  return sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_ClaimExpiredRewards", argument, as)
    .unclaimedRewardCid;
}

/** Merges all unclaimed rewards into one. */
export function mergeUnclaimedRewards({ sandbox, dso, amuletRules }: SandboxNetwork): void {
  const unclaimedRewardCids = sandbox.active(UnclaimedReward).map(({ contractId }) => contractId);
  if (unclaimedRewardCids.length < 2) return;
  const argument = { unclaimedRewardCids };
  const as = { actAs: [dso] };
  sandbox.exercise(AmuletRules, amuletRules, "AmuletRules_MergeUnclaimedRewards", argument, as);
}
