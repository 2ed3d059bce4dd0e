/** The names that follow from DsoRules: `dso.cns`, and one for each SV. They change only with the contract. */
import { DsoRules, type LedgerView, listWellKnownEntries, type WellKnownEntry } from "@callsign/ledger";
import type { ContractReader, CurrentContract } from "../contracts/contract-reader.ts";
import { type FoundName, formatWellKnownEntry, foundName } from "./name-entry.ts";
import { TextMap } from "./text-map.ts";

export interface WellKnown {
  /** The DSO's first, then the SVs' in the order of DsoRules. */
  readonly entries: readonly { readonly name: string; readonly party: string; readonly json: string }[];
  /** Of several the first counts. */
  readonly byName: Pick<TextMap<FoundName>, "get">;
  readonly byParty: Pick<TextMap<FoundName>, "get">;
}

/** As in Splice, an SV whose name has other characters is listed and found by its party, but not by name. */
const FINDABLE = /^(dso|[a-z0-9_-]+\.sv)\.[^.]*$/;

export class WellKnownNames {
  readonly #contracts: ContractReader;
  readonly #state: Pick<LedgerView, "network">;
  #rules: CurrentContract<typeof DsoRules> | undefined;
  #known: WellKnown | null = null;

  constructor(contracts: ContractReader, state: Pick<LedgerView, "network">) {
    this.#contracts = contracts;
    this.#state = state;
  }

  /** Null while there are no DsoRules. */
  find(): WellKnown | null {
    const rules = this.#contracts.find(DsoRules);
    const { network } = this.#state;
    if (rules === undefined || network === null) return null;
    if (rules !== this.#rules) {
      const svs = rules.payload.svs.map(([party, { name }]) => ({ name, party }));
      this.#known = index(listWellKnownEntries({ acronym: network.acronym, dso: network.dso, svs }));
      this.#rules = rules;
    }
    return this.#known;
  }
}

function index(entries: readonly WellKnownEntry[]): WellKnown {
  const shown = entries.map((entry) => ({ ...entry, json: formatWellKnownEntry(entry) }));
  const byName = new TextMap<FoundName>();
  const byParty = new TextMap<FoundName>();
  for (const { name, party, json } of shown) {
    if (FINDABLE.test(name) && byName.get(name) === undefined) byName.set(name, foundName(json, null));
    if (byParty.get(party) === undefined) byParty.set(party, foundName(json, null));
  }
  return { entries: shown, byName, byParty };
}
