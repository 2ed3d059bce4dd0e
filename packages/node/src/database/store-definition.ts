import type { StorePosition } from "@callsign/api";
import type { StoreMigrations } from "./migrations.ts";
import type { Sql } from "./store.ts";

/** The store of a role: everything that opening, backing up and restoring it needs to know. */
export interface StoreDefinition {
  /** Their `store` is its name. */
  readonly migrations: StoreMigrations<Sql>;
  /** The name of SQLite's file in the data folder. */
  readonly fileName: string;
  /** The place that the store has come to; an empty one is at its beginning. */
  readonly findPosition: (sql: Sql) => Promise<StorePosition>;
}
