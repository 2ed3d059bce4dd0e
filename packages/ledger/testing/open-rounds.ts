/** The open rounds of a network, in a sandbox or simulated. */
import { OpenMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { addDuration, laterTime, type Time } from "../src/values/time.ts";
import type { Sandbox } from "./sandbox.ts";

export interface RoundWithId {
  readonly contractId: ContractId;
  readonly payload: OpenMiningRound;
}

export interface NetworkWithRounds {
  /** The contracts that count: anybody may write the DSO's name into a contract of their own. */
  readonly ofDso: Pick<Sandbox, "active" | "now">;
}

/** Oldest first; normally three. */
export function listOpenRounds({ ofDso }: NetworkWithRounds): readonly RoundWithId[] {
  return ofDso
    .active(OpenMiningRound)
    .toSorted((a, b) => Number(a.payload.round.number - b.payload.round.number));
}

/** The three rounds, the oldest first. */
export function openRounds(network: NetworkWithRounds): readonly [RoundWithId, RoundWithId, RoundWithId] {
  const [oldest, middle, latest] = listOpenRounds(network);
  if (oldest === undefined || middle === undefined || latest === undefined)
    throw new Error("there are no three open rounds");
  return [oldest, middle, latest];
}

/** The newest round that is open already: the one a wallet pays in. */
export function findUsableRound(network: NetworkWithRounds): RoundWithId {
  const usable = listOpenRounds(network).findLast(({ payload }) => payload.opensAt <= network.ofDso.now);
  if (usable === undefined) throw new Error("no round is open yet");
  return usable;
}

export function usableRound(network: NetworkWithRounds): ContractId {
  return findUsableRound(network).contractId;
}

/** The earliest time at which the next round may open. */
export function nextRoundDue(network: NetworkWithRounds): Time {
  const [oldest, middle, latest] = openRounds(network);
  const { opensAt, tickDuration } = middle.payload;
  const middleTicked = addDuration(opensAt, tickDuration.microseconds);
  return laterTime(laterTime(oldest.payload.targetClosesAt, latest.payload.opensAt), middleTicked);
}
