/** The names that follow from DsoRules: `dso.cns`, and one for each SV. They change only with the contract. */
import { DsoRules, listWellKnownEntries, type WellKnownEntry } from "@callsign/ledger";
import type { CurrentContract, CurrentContracts } from "../contracts/current-contracts.ts";
import type { ScanPosition } from "../scan-position.ts";

export class WellKnownNames {
  readonly #contracts: CurrentContracts;
  readonly #position: ScanPosition;
  #rules: CurrentContract<typeof DsoRules> | undefined;
  #entries: readonly WellKnownEntry[] = [];

  constructor(contracts: CurrentContracts, position: ScanPosition) {
    this.#contracts = contracts;
    this.#position = position;
  }

  /** The DSO's first, then the SVs' in the order of DsoRules; null while there are no DsoRules. */
  list(): readonly WellKnownEntry[] | null {
    const rules = this.#contracts.find(DsoRules);
    const { network } = this.#position;
    if (rules === undefined || network === null) return null;
    if (rules !== this.#rules) {
      const svs = rules.payload.svs.map(([party, { name }]) => ({ name, party }));
      this.#entries = listWellKnownEntries({ acronym: network.acronym, dso: network.dso, svs });
      this.#rules = rules;
    }
    return this.#entries;
  }
}
