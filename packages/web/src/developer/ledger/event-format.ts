/** Everything that the party sees. */
export function formatOf(party: string) {
  return { filtersByParty: { [party]: { cumulative: [] } }, filtersForAnyParty: null, verbose: true };
}
