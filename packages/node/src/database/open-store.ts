/** Opens a role's store where its operator wants it: on a PostgreSQL server, or in a file of its data folder. */
import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import { markDamaged, openRebuildable, type RebuiltFile } from "./damaged-files.ts";
import { measureStore } from "./measured-store.ts";
import type { StoreMigrations } from "./migrations.ts";
import { openPostgresStore } from "./postgres.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Sql, Store } from "./store.ts";
import { refuseMarked } from "./store-marks.ts";

export interface StorePlace {
  /** SQLite if omitted. */
  readonly database?: PostgresConfig;
  /** The file of SQLite. */
  readonly file: string;
  /** If given, the store's rows can be read again: a damaged file is moved aside, and an empty one is opened. */
  readonly rebuild?: {
    /** The place that the rows come from, as in "it is rebuilt from the participant". */
    readonly source: string;
    readonly onRebuilt: (file: RebuiltFile) => void;
  };
}

export interface StoreParts {
  readonly host: Host;
  readonly log: Log;
  /** The registry of its statements' times; none are kept if undefined. */
  readonly metrics?: Metrics | undefined;
}

/** One process at a time: a second one is refused. Runs the migrations that the store lacks. */
export async function openStore(
  place: StorePlace,
  plan: StoreMigrations<Sql>,
  parts: StoreParts,
): Promise<Store> {
  const store = await openUnmeasured(place, plan, parts);
  return measureStore(store, { name: plan.store, metrics: parts.metrics, clock: parts.host.clock });
}

async function openUnmeasured(
  { database, file, rebuild }: StorePlace,
  plan: StoreMigrations<Sql>,
  parts: StoreParts,
): Promise<Store> {
  if (database !== undefined) return openPostgresStore(database, plan, parts);
  const options = { exclusive: true, owner: plan.store };
  const { host, log } = parts;
  refuseMarked(file, host.files);
  const onDamage = (reason: string) => {
    log.error({ file, reason }, "the store is damaged");
    if (rebuild === undefined) return;
    try {
      markDamaged(file, reason, host);
    } catch (error) {
      log.error({ file, error: String(error) }, "the damage could not be noted");
    }
  };
  const open = (opened: DatabaseSync) => openSqliteStore(opened, plan, { onDamage, host });
  if (rebuild === undefined) return open(host.files.openDatabase(file, options));
  const rebuildable = { ...parts, path: file, options, source: rebuild.source };
  const { opened, rebuilt } = await openRebuildable(rebuildable, open);
  if (rebuilt !== null) rebuild.onRebuilt(rebuilt);
  return opened;
}
