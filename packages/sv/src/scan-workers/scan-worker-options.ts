/** The values that a scan's workers are started with, and those that they and the process that writes tell each other. */
import type { InstanceNames } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import type { Listening } from "@callsign/node";

export interface ScanWorkerOptions {
  /** The replica's database, and the mark of its owner. */
  readonly path: string;
  readonly owner: string;
  readonly listening: Listening;
  /** The id in answers of health. */
  readonly id: string;
  /** Null: the first SV of the network. */
  readonly sv: { readonly user: string; readonly party: PartyId } | null;
  readonly instanceNames?: InstanceNames | undefined;
}

/** Told after every commit, and whenever it changes. */
export interface ScanNews {
  readonly missing: string | null;
  readonly unwritable: string | null;
}

/** A worker has read a damaged page or row. */
export interface DamageReport {
  readonly damage: string;
}
