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
import type { LeftCoupons } from "../src/rounds/expire-coupons.ts";
import { type RoundSummary, summarizeRound } from "../src/rounds/summarize-round.ts";
import type { ContractId } from "../src/values/contract-id.ts";
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
