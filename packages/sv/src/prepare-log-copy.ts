import { type OrderedLog, SqliteLog } from "@callsign/synchronizer";
import { findSnapshot, type SnapshotSearch } from "./find-snapshot.ts";

/**
 * A node's own copy of a log that is kept elsewhere, before it is opened: one that lacks entries which the log no longer has
 * begins anew behind a snapshot. Throws if there is none.
 */
export async function prepareLogCopy(
  path: string,
  log: OrderedLog,
  search: Omit<SnapshotSearch, "start">,
): Promise<void> {
  const { sequence: start } = await log.start();
  if (start === 0) return;
  const copy = new SqliteLog(path, search.host);
  try {
    if ((await copy.head()).sequence >= start) return;
    const { file, source } = await findSnapshot({ ...search, start });
    file.close();
    const { sequence, entryHash } = source.manifest.head;
    await copy.beginBehind({ sequence, entryHash }, source.proof.first);
  } finally {
    await copy.close();
  }
}
