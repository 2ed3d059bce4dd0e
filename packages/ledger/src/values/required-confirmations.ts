import { toleratedFaults } from "./tolerated-faults.ts";

/**
 * The quorum of a network's SVs: for actions of the DSO, for history that members take, and for the log. Of n SVs, f may lie
 * or be silent. The quorum ⌈(n + f + 1) / 2⌉ is at most n − f, so that f silent ones cannot stop the network, and any two
 * quorums share more than f SVs, so that f liars cannot have two contradictory things confirmed.
 */
export function requiredConfirmations(svCount: number): number {
  return Math.ceil((svCount + toleratedFaults(svCount) + 1) / 2);
}
