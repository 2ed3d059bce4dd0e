/** Opens a role's store where its operator wants it: on a PostgreSQL server, or in a file of its data folder. */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { StoreMigrations } from "./migrations.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Sql, Store } from "./store.ts";

export interface StorePlace {
  /** SQLite if omitted. */
  readonly database?: PostgresConfig;
  /** The file of SQLite. */
  readonly file: string;
}

/** One process at a time: a second one is refused. Runs the migrations that the store lacks. */
export async function openStore(
  { database, file }: StorePlace,
  plan: StoreMigrations<Sql>,
  parts: { readonly host: Host; readonly log: Log },
): Promise<Store> {
  if (database !== undefined) return openPostgresStore(database, plan, parts);
  return openSqliteStore(parts.host.files.openDatabase(file, { exclusive: true }), plan);
}
