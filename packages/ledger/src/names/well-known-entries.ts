// Names that exist without registration: `dso.cns` for the DSO party and `<name>.sv.cns` for each SV.
//
// Scan provides them from DsoRules. There is no contract behind them: they have no contract id, never expire,
// and can't collide with a registered name, since that always ends with `.unverified.<acronym>`.

export type WellKnownEntry = {
  /** Always in lower case, so that a lookup with capital letters misses it. */
  readonly name: string;
  readonly party: string;
  readonly url: "";
  readonly description: "";
};

export type WellKnownParties = {
  /** As configured; it counts in lower case. */
  readonly acronym: string;
  readonly dso: string;
  /** In the order of DsoRules' map, which is the order of the answer. */
  readonly svs: readonly { readonly name: string; readonly party: string }[];
};

/** The DSO's entry first, then the SVs' in the given order. */
export function listWellKnownEntries({ acronym, dso, svs }: WellKnownParties): WellKnownEntry[] {
  const ending = acronym.toLowerCase();
  return [
    wellKnownEntry(`dso.${ending}`, dso),
    ...svs.map((sv) => wellKnownEntry(`${sv.name.toLowerCase()}.sv.${ending}`, sv.party)),
  ];
}

function wellKnownEntry(name: string, party: string): WellKnownEntry {
  return { name, party, url: "", description: "" };
}
