/** Templates whose active contracts scan shows. The DSO signs all of them. */
import {
  AmuletPriceVote,
  AmuletRules,
  AnsRules,
  ClosedMiningRound,
  DsoRules,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
  SvNodeState,
  UnclaimedDevelopmentFundCoupon,
  ValidatorLicense,
  VoteRequest,
} from "@callsign/ledger";

export const ROUND_TEMPLATES = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound] as const;
export const CURRENT_TEMPLATES = [
  AmuletRules,
  AnsRules,
  DsoRules,
  SvNodeState,
  ...ROUND_TEMPLATES,
  ValidatorLicense,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  UnclaimedDevelopmentFundCoupon,
  ClosedMiningRound,
  AmuletPriceVote,
  VoteRequest,
] as const;

export type RoundTemplate = (typeof ROUND_TEMPLATES)[number];
export type CurrentTemplate = (typeof CURRENT_TEMPLATES)[number];

/** Fields that some payloads of rounds have. */
interface AnyRound {
  readonly round?: { readonly number: bigint };
  readonly tickDuration?: { readonly microseconds: bigint };
  readonly opensAt?: bigint;
  readonly targetClosesAt?: bigint;
}

/** Zero for other contracts. */
export function roundOf(payload: unknown): bigint {
  return (payload as AnyRound).round?.number ?? 0n;
}

/** In microseconds. A round that issues rewards has no field for it, but is open for two ticks. */
export function tickOf(payload: unknown): bigint | null {
  const { tickDuration, opensAt, targetClosesAt } = payload as AnyRound;
  if (tickDuration !== undefined) return tickDuration.microseconds;
  return opensAt === undefined || targetClosesAt === undefined ? null : (targetClosesAt - opensAt) / 2n;
}
