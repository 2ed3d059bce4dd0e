/** A replica that has applied these entries, which came to its log in batches. It is closed at the end. */
import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";

interface OpenedReplica {
  readonly catchUp: () => Promise<void>;
  readonly close: () => void;
}

export async function replicateLog<R extends OpenedReplica>(
  entries: readonly LogEntry[],
  open: (log: SqliteLog) => R,
  { batch = 100, atEnd = onTestFinished }: { readonly batch?: number; readonly atEnd?: AtEnd } = {},
): Promise<R> {
  const log = new SqliteLog(":memory:", systemHost);
  const node = open(log);
  atEnd(async () => {
    node.close();
    await log.close();
  });
  for (const each of cutIntoBatches(entries, batch)) {
    await appendAll(log, [each]);
    await node.catchUp();
  }
  return node;
}
