/** The beginning of a log that exists: its first entry founds a network, or goes on with one. */
import { type EntryContent, type FoundNetwork, parseLogEntry, readContent } from "@callsign/ledger";
import type { OrderedLog } from "@callsign/synchronizer";

type Beginning = Extract<EntryContent, { readonly tag: "FoundNetwork" | "ContinueNetwork" }>;

/** Null if the log is empty, or begins with anything else. */
async function findBeginning(log: OrderedLog): Promise<Beginning | null> {
  if ((await log.head()).sequence === 0) return null;
  const reading = new AbortController();
  for await (const { entries } of log.follow(0, reading.signal)) {
    const entry = parseLogEntry(entries[0] ?? "");
    if (!entry.ok) return null;
    const content = readContent(entry.value, Buffer.byteLength(entry.value.content));
    const begins = "tag" in content && (content.tag === "FoundNetwork" || content.tag === "ContinueNetwork");
    return begins ? content : null;
  }
  return null;
}

/** Null if the log does not begin with the founding. */
export async function findFounding(log: OrderedLog): Promise<FoundNetwork | null> {
  const beginning = await findBeginning(log);
  return beginning?.tag === "FoundNetwork" ? beginning.value : null;
}

/** The migration id of the log's network; null if it has none. */
export async function findMigrationId(log: OrderedLog): Promise<bigint | null> {
  const beginning = await findBeginning(log);
  if (beginning === null) return null;
  return beginning.tag === "FoundNetwork"
    ? beginning.value.migrationId
    : beginning.value.previous.migrationId + 1n;
}
