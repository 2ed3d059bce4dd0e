/**
 * The number of SVs that must agree before the DSO acts. With n SVs, f = ⌊(n − 1) / 3⌋ of them may lie or be silent.
 * The quorum ⌈(n + f + 1) / 2⌉ is at most n − f, so that f silent ones cannot stop an action, and any two
 * quorums share more than f SVs, so that f liars cannot have two contradictory actions confirmed.
 */
export function requiredConfirmations(svCount: number): number {
  const faulty = Math.floor((svCount - 1) / 3);
  return Math.ceil((svCount + faulty + 1) / 2);
}
