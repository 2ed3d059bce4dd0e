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
  /** For a role whose identity is a row of the store on PostgreSQL, and a file of the data folder otherwise. */
  readonly identity?: StoredIdentity;
}

export interface StoredIdentity {
  /** The table that has the row. */
  readonly table: string;
  /** The condition that holds for every other row: a back-up keeps the identity as a file. */
  readonly others: string;
  /** The text of the identity's file; undefined if there is none. */
  readonly find: (sql: Sql) => Promise<string | undefined>;
  readonly set: (sql: Sql, text: string) => Promise<void>;
}
