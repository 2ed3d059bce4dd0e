/** Opens a role's store where its operator wants it: on a PostgreSQL server, or in a file of its data folder. */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import { measureStore } from "./measured-store.ts";
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

export interface StoreParts {
  readonly host: Host;
  readonly log: Log;
  /** The registry of its statements' times; none are kept if undefined. */
  readonly metrics?: Metrics | undefined;
}

/** One process at a time: a second one is refused. Runs the migrations that the store lacks. */
export async function openStore(
  { database, file }: StorePlace,
  plan: StoreMigrations<Sql>,
  parts: StoreParts,
): Promise<Store> {
  const store =
    database === undefined
      ? await openSqliteStore(parts.host.files.openDatabase(file, { exclusive: true }), plan)
      : await openPostgresStore(database, plan, parts);
  return measureStore(store, { name: plan.store, metrics: parts.metrics, clock: parts.host.clock });
}
