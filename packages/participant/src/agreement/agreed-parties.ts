/**
 * The parties of the network on which sequencers agree. Parties are never removed from the topology, so a party that
 * f + 1 sequencers list exists, even if the answers are of different moments.
 */

/** A sequencer has one vote on a party, even if it lists the party twice. */
export function decideAgreedParties(
  answers: readonly (readonly string[])[],
  needed: number,
): ReadonlySet<string> {
  const votes = new Map<string, number>();
  for (const answer of answers) {
    for (const party of new Set(answer)) votes.set(party, (votes.get(party) ?? 0) + 1);
  }
  return new Set([...votes].flatMap(([party, count]) => (count >= needed ? [party] : [])));
}
