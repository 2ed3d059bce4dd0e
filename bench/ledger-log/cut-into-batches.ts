/** A log's entries in batches, as sequencers append them. */

import { sha256 } from "@callsign/node";
import type { LogBatch, LogHead } from "@callsign/synchronizer";
import { hashLogEntry, parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";

/** As many as a sequencer puts into a batch. */
export const BATCH = 200;

export function cutIntoBatches(bytes: readonly string[], after: LogHead): readonly LogBatch[] {
  const batches: LogBatch[] = [];
  for (let i = 0; i < bytes.length; i += BATCH) {
    const entries = bytes.slice(i, i + BATCH);
    const last = expectParsed(parseLogEntry(entries.at(-1) ?? ""));
    const head = { sequence: last.sequence, entryHash: hashLogEntry(sha256, last) };
    batches.push({ after: batches.at(-1)?.head ?? after, head, entries });
  }
  return batches;
}
