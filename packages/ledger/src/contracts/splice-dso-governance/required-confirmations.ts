import { toleratedFaults } from "../../values/tolerated-faults.ts";

/**
 * The number of SVs that must agree before the DSO acts. Of n SVs, f may lie or be silent. The quorum ⌈(n + f + 1) / 2⌉
 * is at most n − f, so that f silent ones cannot stop an action, and any two quorums share more than f SVs, so that f
 * liars cannot have two contradictory actions confirmed.
 */
export function requiredConfirmations(svCount: number): number {
  return Math.ceil((svCount + toleratedFaults(svCount) + 1) / 2);
}
