/** The founding of a network that exists: the first entry of its log. */
import { type FoundNetwork, parseLogEntry, readContent } from "@callsign/ledger";
import type { OrderedLog } from "@callsign/synchronizer";

/** Null if the log is empty, or its first entry founds no network. */
export async function findFounding(log: OrderedLog): Promise<FoundNetwork | null> {
  if ((await log.head()).sequence === 0) return null;
  const reading = new AbortController();
  for await (const { entries } of log.follow(0, reading.signal)) {
    const entry = parseLogEntry(entries[0] ?? "");
    if (!entry.ok) return null;
    const content = readContent(entry.value, Buffer.byteLength(entry.value.content));
    return "tag" in content && content.tag === "FoundNetwork" ? content.value : null;
  }
  return null;
}
