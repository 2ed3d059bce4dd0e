/** Pages of the log whose entries are parsed. */
import { type LogEntry, type Parsed, parseLogEntry } from "@callsign/ledger";
import type { LogHead, LogPage } from "../log/ordered-log.ts";
import { RecentResults } from "./recent-results.ts";

/** A parsed page; an entry that cannot be parsed stops the replica when its turn comes. */
export interface ReadPage {
  readonly entries: readonly Parsed<LogEntry>[];
  readonly head: LogHead;
}

/** SVs of one process get the same pages: each is parsed once. */
const parsedEntries = new RecentResults<LogPage["entries"], ReadPage["entries"]>();

export function parseEntries(entries: LogPage["entries"]): ReadPage["entries"] {
  const known = parsedEntries.find(entries);
  if (known !== undefined) return known;
  const read = entries.map(parseLogEntry);
  parsedEntries.remember(entries, read);
  return read;
}
