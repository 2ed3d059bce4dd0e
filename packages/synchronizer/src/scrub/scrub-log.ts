/** The log's entries: each has the hash that the next one names, and the last the hash that the log's head says. */
import { type Hash, hashLogEntry, parseLogEntry } from "@callsign/ledger";
import { type LogHead, LogTrimmed, type OrderedLog } from "../log/ordered-log.ts";
import { type ScrubbedPage, ScrubFinding, type ScrubPart } from "./scrub-part.ts";

export function scrubLog(log: OrderedLog, hash: Hash): ScrubPart {
  const check = async (after: string, signal: AbortSignal): Promise<ScrubbedPage> => {
    const begin = after === "" ? await log.start() : (JSON.parse(after) as LogHead);
    if (begin.sequence >= (await log.head()).sequence) return { after: null, rows: 0 };
    const only = new AbortController();
    try {
      for await (const page of log.follow(begin.sequence, AbortSignal.any([signal, only.signal]))) {
        only.abort();
        const end = page.entries.reduce((last, bytes) => followChain(last, bytes), begin);
        if (end.sequence !== page.head.sequence || end.entryHash !== page.head.entryHash)
          throw found(`entry ${end.sequence} does not have the hash that the log says`);
        return { after: JSON.stringify(end), rows: page.entries.length };
      }
    } catch (error) {
      // Entries were trimmed since the position was saved: the log begins later.
      if (!(error instanceof LogTrimmed)) throw error;
      return { after: JSON.stringify(error.start), rows: 0 };
    }
    return { after, rows: 0 };
  };

  function followChain(last: LogHead, bytes: string): LogHead {
    const sequence = last.sequence + 1;
    const entry = parseLogEntry(bytes);
    if (!entry.ok) throw found(`entry ${sequence} cannot be read: ${entry.error}`);
    if (entry.value.sequence !== sequence || entry.value.previousHash !== last.entryHash)
      throw found(`entry ${sequence} does not follow from entry ${last.sequence}`);
    return { sequence, entryHash: hashLogEntry(hash, entry.value) };
  }

  const found = (reason: string) => {
    const name = log.path === undefined ? "the log" : `the log ${log.path}`;
    return new ScrubFinding("log", `${name} is damaged: ${reason}. Restore it from a copy`);
  };

  return { name: "log", store: "log", check };
}
