/** Where an SV's copy and the log part. Hashes are chained: entries that are equal have equal ones before them. */
import { CannotStart } from "@callsign/node";
import { findLogHash } from "../log/find-log-hash.ts";
import type { LogHead, OrderedLog } from "../log/ordered-log.ts";
import type { StoredEntries } from "../log/sqlite-log.ts";

export interface Fork {
  /** The last entry that both have. */
  readonly common: LogHead;
  /** The entry of the log behind it; the copy has another one. */
  readonly inLog: LogHead;
}

/** Null if one of both continues the other. */
export async function findFork(log: OrderedLog, copy: StoredEntries): Promise<Fork | null> {
  const end = await log.head();
  const copied = await copy.head();
  const isCommon = async (sequence: number) =>
    copy.findHash(sequence) === (await readHash(log, end, sequence));
  const start = Math.max((await log.start()).sequence, (await copy.start()).sequence);
  let different = Math.min(end.sequence, copied.sequence);
  // Entries that one of both has trimmed cannot be compared.
  if (different < start || (await isCommon(different))) return null;
  let common = start;
  if (!(await isCommon(common)))
    throw new CannotStart(
      `entry ${common} of the log is not the one in this SV's copy, and the entries before it are trimmed. ` +
        "Nothing was changed: move log-copy.db and replica.db aside if the log is the network's",
    );
  while (different - common > 1) {
    const middle = Math.floor((common + different) / 2);
    if (await isCommon(middle)) common = middle;
    else different = middle;
  }
  return {
    common: { sequence: common, entryHash: await readHash(log, end, common) },
    inLog: { sequence: different, entryHash: await readHash(log, end, different) },
  };
}

async function readHash(log: OrderedLog, end: LogHead, sequence: number): Promise<string> {
  const found = await findLogHash(log, sequence, { end, signal: new AbortController().signal });
  if (found !== null) return found;
  throw new Error(
    `entry ${sequence} of the log cannot be read: it was trimmed meanwhile, or the log is closed`,
  );
}
