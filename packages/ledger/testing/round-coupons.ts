/** The coupons of one round, as an SV would list and count them, and the rounds that issue. */
import {
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorRewardCoupon,
} from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import type { TransferContext } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
} from "../src/contracts/splice-amulet/declarations/validator-license.ts";
import { DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { SvRewardState } from "../src/contracts/splice-dso-governance/declarations/sv-state.ts";
import type { LeftCoupons } from "../src/rounds/expire-coupons.ts";
import { type BeneficiaryShare, pickSvRewardRound, shareSvWeight } from "../src/rounds/receive-sv-rewards.ts";
import { type RoundSummary, summarizeRound } from "../src/rounds/summarize-round.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { listOpenRounds, type NetworkWithRounds } from "./open-rounds.ts";
import type { Sandbox } from "./sandbox.ts";

type Contracts = Pick<Sandbox, "active">;

/** The totals that every SV counts for a round that is being summarised. */
export function summaryOf(sandbox: Contracts, round: bigint): RoundSummary {
  const ofRound = <P extends OfRound>(contracts: readonly { readonly payload: P }[]) =>
    contracts.map(({ payload }) => payload).filter((payload) => payload.round.number === round);
  const [summarizing] = ofRound(sandbox.active(SummarizingMiningRound));
  if (summarizing === undefined) throw new Error(`round ${round} is not being summarised`);
  return summarizeRound(
    {
      validatorRewardCoupons: ofRound(sandbox.active(ValidatorRewardCoupon)),
      appRewardCoupons: ofRound(sandbox.active(AppRewardCoupon)),
      svRewardCoupons: ofRound(sandbox.active(SvRewardCoupon)),
      validatorRecordCount:
        ofRound(sandbox.active(ValidatorLivenessActivityRecord)).length +
        ofRound(sandbox.active(ValidatorFaucetCoupon)).length,
    },
    summarizing.issuanceConfig.optValidatorFaucetCap,
  );
}

export function couponsLeftOf(
  sandbox: Contracts,
  round: bigint,
): LeftCoupons & { readonly faucetCouponCids: readonly ContractId[] } {
  const idsOf = (contracts: readonly { readonly contractId: ContractId; readonly payload: OfRound }[]) =>
    contracts.filter(({ payload }) => payload.round.number === round).map(({ contractId }) => contractId);
  return {
    validatorRewardCouponCids: idsOf(sandbox.active(ValidatorRewardCoupon)),
    appCouponCids: idsOf(sandbox.active(AppRewardCoupon)),
    svRewardCouponCids: idsOf(sandbox.active(SvRewardCoupon)),
    livenessRecordCids: idsOf(sandbox.active(ValidatorLivenessActivityRecord)),
    faucetCouponCids: idsOf(sandbox.active(ValidatorFaucetCoupon)),
  };
}

/** The argument with which an SV receives its next coupons; undefined if there is no round to receive them for. */
export function nextSvRewards(
  network: NetworkWithRounds,
  sv: PartyId,
  listBeneficiaries: () => readonly BeneficiaryShare[] = () => [],
) {
  const { ofDso } = network;
  const info = ofDso.active(DsoRules)[0]?.payload.svs.find(([member]) => member === sv)?.[1];
  const state = ofDso.active(SvRewardState).find(({ payload }) => payload.svName === info?.name);
  if (info === undefined || state === undefined) throw new Error(`${sv} has no reward state`);
  const rounds = listOpenRounds(network).map(({ contractId, payload }) => ({ ...payload, contractId }));
  const round = pickSvRewardRound(rounds, state.payload.state.lastRoundCollected.number, ofDso.now);
  if (round === undefined) return undefined;
  const shares = shareSvWeight(sv, info.svRewardWeight, listBeneficiaries());
  return {
    openRoundCid: round.contractId,
    rewardStateCid: state.contractId,
    beneficiaries: shares.map(({ beneficiary, weight }) => ({ _1: beneficiary, _2: weight })),
  };
}

/** The issuing rounds that are open: what a wallet puts into its context. */
export function issuingRounds(
  sandbox: Pick<Sandbox, "active" | "now">,
): TransferContext["issuingMiningRounds"] {
  return sandbox
    .active(IssuingMiningRound)
    .filter(({ payload }) => payload.opensAt <= sandbox.now)
    .map(({ contractId, payload }) => [payload.round, contractId] as const)
    .toSorted(([a], [b]) => Number(a.number - b.number));
}

interface OfRound {
  readonly round: { readonly number: bigint };
}
