import { type Hash, hashLogEntry, parseLogEntry, ReplicaHalt } from "@callsign/ledger";
import type { LogHead, LogPage } from "./ordered-log.ts";

/**
 * The heads behind each entry of a page. Throws unless each entry follows the one before it, and the last one has the hash that
 * it had when it was appended. `whose` names the log that the page continues, for messages; `remedy` ends them.
 */
export function checkPage(
  hash: Hash,
  after: LogHead,
  { entries, head, whose, remedy = "" }: LogPage & { readonly whose: string; readonly remedy?: string },
): readonly LogHead[] {
  const heads: LogHead[] = [];
  let last = after;
  for (const bytes of entries) {
    const entry = parseLogEntry(bytes);
    if (!entry.ok) throw new ReplicaHalt(`the log is damaged behind entry ${last.sequence}: ${entry.error}`);
    const { sequence, previousHash } = entry.value;
    if (sequence !== last.sequence + 1 || previousHash !== last.entryHash)
      throw new ReplicaHalt(
        `entry ${sequence} of the log does not follow entry ${last.sequence} of ${whose}: ` +
          `it is another log, or it lost its tail${remedy}`,
      );
    last = { sequence, entryHash: hashLogEntry(hash, entry.value) };
    heads.push(last);
  }
  if (last.sequence === head.sequence && last.entryHash === head.entryHash) return heads;
  throw new ReplicaHalt(
    `the log is damaged: it says that entry ${head.sequence} has hash ${head.entryHash}, ` +
      `but its entries end with ${last.sequence}, which has ${last.entryHash}`,
  );
}
