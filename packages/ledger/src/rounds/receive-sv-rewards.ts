/**
 * The round an SV receives its rewards for, and its beneficiaries. The oldest round comes first, as it
 * closes first: a round that is received late makes the older ones unreachable.
 */
import { int64 } from "../values/int64.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";

interface DatedRound {
  readonly round: { readonly number: bigint };
  readonly opensAt: Time;
}

/** The first round that is open and newer than the last one that was received; none if all are. */
export function pickSvRewardRound<R extends DatedRound>(
  rounds: readonly R[],
  lastRoundCollected: bigint,
  now: Time,
): R | undefined {
  return rounds
    .filter(({ round, opensAt }) => opensAt <= now && round.number > lastRoundCollected)
    .reduce<R | undefined>(
      (first, round) => (first === undefined || round.round.number < first.round.number ? round : first),
      undefined,
    );
}

export interface BeneficiaryShare {
  readonly beneficiary: PartyId;
  readonly weight: bigint;
}

/**
 * An SV's whole weight among the beneficiaries it has configured, in their order; what they leave is the SV's own.
 * Weights that are too large are cut: who comes last gets less, or nothing. A beneficiary named twice gets both.
 */
export function shareSvWeight(
  sv: PartyId,
  svRewardWeight: bigint,
  beneficiaries: readonly BeneficiaryShare[],
): readonly BeneficiaryShare[] {
  const shares = new Map<PartyId, bigint>();
  let left = svRewardWeight;
  for (const { beneficiary, weight } of [...beneficiaries, { beneficiary: sv, weight: svRewardWeight }]) {
    const share = weight < left ? weight : left;
    if (share <= 0n) continue;
    shares.set(beneficiary, int64((shares.get(beneficiary) ?? 0n) + share));
    left -= share;
  }
  return [...shares].map(([beneficiary, weight]) => ({ beneficiary, weight }));
}
