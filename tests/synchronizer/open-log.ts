/** The backends of the ordered log by name, so that a child process can open the same one. */

import { join } from "node:path";
import { type PostgresConfig, sha256, silentLog, systemHost } from "@callsign/node";
import { CopiedLog } from "../../packages/synchronizer/src/log/copied-log.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { POSTGRES_RISKS } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";

/** A script that appends batches to a log until it is killed: backend, place, mark. */
export const APPEND_BATCHES = join(import.meta.dirname, "children/append-batches.ts");

const backends = {
  sqlite: async (place: string): Promise<OrderedLog> => new SqliteLog(logFile(place), systemHost),
  nats: (place: string): Promise<OrderedLog> =>
    openNatsLog(JSON.parse(place), { host: systemHost, log: silentLog }),
  copied: async (place: string): Promise<OrderedLog> => openCopied(place),
  postgres: async (place: string): Promise<OrderedLog> =>
    openPostgresLog(JSON.parse(place) as PostgresConfig, {
      host: systemHost,
      log: silentLog,
      acceptedRisks: POSTGRES_RISKS,
    }),
};

export type LogBackendName = keyof typeof backends;

export interface LogBackend {
  readonly name: LogBackendName;
  /** A place for a new, empty log, for the length of a test. */
  readonly newPlace: () => string;
}

/** A place is what the backend makes of it: a folder for SQLite, settings as JSON for servers. */
export function openLog(name: LogBackendName, place: string): Promise<OrderedLog> {
  return backends[name](place);
}

/** The log is a file as well, beside its copy. */
export function openCopied(folder: string): CopiedLog {
  const remote = new SqliteLog(logFile(folder), systemHost);
  return copyOf(remote, folder);
}

export function copyOf(remote: OrderedLog, folder: string): CopiedLog {
  return new CopiedLog({
    remote,
    path: join(folder, "copy.db"),
    hash: sha256,
    host: systemHost,
    log: silentLog,
  });
}

export function logFile(folder: string): string {
  return join(folder, "log.db");
}
