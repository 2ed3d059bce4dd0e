/** The backends of the ordered log by name, so that a child process can open the same one. */

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";

/** A script that appends batches to a log until it is killed: backend, place, mark. */
export const APPEND_BATCHES = join(import.meta.dirname, "children/append-batches.ts");

const backends = {
  sqlite: async (place: string): Promise<OrderedLog> => new SqliteLog(logFile(place), systemHost),
};

export type LogBackendName = keyof typeof backends;

/** A place is what the backend makes of it: here a folder. */
export function openLog(name: LogBackendName, place: string): Promise<OrderedLog> {
  return backends[name](place);
}

export function logFile(folder: string): string {
  return join(folder, "log.db");
}
