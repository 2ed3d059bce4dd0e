/** What the SVs do with rounds, for stories over several of them: advance, sum up, issue, close, expire. */
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type { OpenMiningRoundSummary } from "../src/contracts/splice-amulet/declarations/issuance.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import type { TransferContext } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
} from "../src/contracts/splice-amulet/declarations/validator-license.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, sum } from "../src/values/decimal.ts";
import type { TestNetwork } from "./network-fixture.ts";

interface OfRound {
  readonly payload: { readonly round: { readonly number: bigint } };
}

/** The totals of a round's coupons, as every SV counts them. */
export function summarize({ sandbox }: TestNetwork, round: bigint): OpenMiningRoundSummary {
  const ofRound = ({ payload }: OfRound) => payload.round.number === round;
  const apps = sandbox.active(AppRewardCoupon).filter(ofRound);
  const amounts = (coupons: readonly { payload: { amount: Decimal } }[]) =>
    sum(coupons.map(({ payload }) => payload.amount));
  const records = [
    ...sandbox.active(ValidatorFaucetCoupon),
    ...sandbox.active(ValidatorLivenessActivityRecord),
  ];
  return {
    totalValidatorRewardCoupons: amounts(sandbox.active(ValidatorRewardCoupon).filter(ofRound)),
    totalFeaturedAppRewardCoupons: amounts(apps.filter(({ payload }) => payload.featured)),
    totalUnfeaturedAppRewardCoupons: amounts(apps.filter(({ payload }) => !payload.featured)),
    totalSvRewardWeight: sandbox
      .active(SvRewardCoupon)
      .filter(ofRound)
      .reduce((total, { payload }) => total + payload.weight, 0n),
    optTotalValidatorFaucetCoupons: BigInt(records.filter(ofRound).length),
  };
}

/** Rounds advance by one; the one that was open longest starts issuing; those that issued long enough close. */
export function runNextIssuance(network: TestNetwork, amuletPrice?: Decimal): void {
  const { sandbox, dso } = network;
  network.advanceRounds(amuletPrice);
  const as = { actAs: [dso] };
  for (const { contractId, payload } of sandbox.active(SummarizingMiningRound)) {
    const summary = summarize(network, payload.round.number);
    const argument = { miningRoundCid: contractId, summary };
    sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_MiningRound_StartIssuing", argument, as);
  }
  for (const { contractId, payload } of sandbox.active(IssuingMiningRound)) {
    if (payload.targetClosesAt > sandbox.now) continue;
    const argument = { issuingRoundCid: contractId };
    sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_MiningRound_Close", argument, as);
  }
}

/** The issuing rounds that are open: what a wallet puts into its context. */
export function issuingRounds({ sandbox }: TestNetwork): TransferContext["issuingMiningRounds"] {
  return sandbox
    .active(IssuingMiningRound)
    .filter(({ payload }) => payload.opensAt <= sandbox.now)
    .map(({ contractId, payload }) => [payload.round, contractId] as const)
    .toSorted(([a], [b]) => Number(a.number - b.number));
}

/** Expires every coupon of a closed round, in one go. */
export function claimExpiredRewards(network: TestNetwork, closed: ContractId): ContractId | null {
  const { sandbox, dso } = network;
  const { number } = sandbox.payloadOf(ClosedMiningRound, closed).round;
  const idsOf = (contracts: readonly (OfRound & { readonly contractId: ContractId })[]) =>
    contracts.filter(({ payload }) => payload.round.number === number).map(({ contractId }) => contractId);
  const argument = {
    closedRoundCid: closed,
    validatorRewardCouponCids: idsOf(sandbox.active(ValidatorRewardCoupon)),
    appCouponCids: idsOf(sandbox.active(AppRewardCoupon)),
    svRewardCouponCids: idsOf(sandbox.active(SvRewardCoupon)),
    optValidatorFaucetCouponCids: idsOf(sandbox.active(ValidatorFaucetCoupon)),
    optValidatorLivenessActivityRecordCids: idsOf(sandbox.active(ValidatorLivenessActivityRecord)),
  };
  const as = { actAs: [dso] };
  return sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_ClaimExpiredRewards", argument, as)
    .unclaimedRewardCid;
}

/** Merges all unclaimed rewards into one. */
export function mergeUnclaimedRewards({ sandbox, dso, amuletRules }: TestNetwork): void {
  const unclaimedRewardCids = sandbox.active(UnclaimedReward).map(({ contractId }) => contractId);
  if (unclaimedRewardCids.length < 2) return;
  const argument = { unclaimedRewardCids };
  const as = { actAs: [dso] };
  sandbox.exercise(AmuletRules, amuletRules, "AmuletRules_MergeUnclaimedRewards", argument, as);
}
