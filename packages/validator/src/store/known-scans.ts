/** The scans that the validator knew last: with them it starts while the scans it was configured with are down. */
import type { Store } from "@callsign/node";

interface KnownScan {
  readonly svName: string;
  /** As its SV publishes it. */
  readonly url: string;
}

export interface KnownScans {
  /** The configured scans that the list began with: others mean that the operator wants another beginning. */
  readonly seeds: readonly string[];
  readonly dso: string;
  readonly synchronizerId: string;
  readonly scans: readonly KnownScan[];
  /** The number of SVs on the ledger; not in a list that an earlier release stored. */
  readonly svs?: number;
}

export class KnownScansStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(): Promise<KnownScans | undefined> {
    const row = await this.#store.get("select list from known_scans where id = 1");
    return row === undefined ? undefined : (JSON.parse(String(row["list"])) as KnownScans);
  }

  async keep(known: KnownScans): Promise<void> {
    await this.#store.run(
      "insert into known_scans (id, list) values (1, $1) on conflict (id) do update set list = excluded.list",
      JSON.stringify(known),
    );
  }
}
