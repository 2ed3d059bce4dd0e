/** Entries of one log as batches for another. */
import { MAX_BATCH_CHARACTERS, MAX_BATCH_ENTRIES } from "../limits/limits.ts";
import type { LogBatch, LogHead, LogPage } from "./ordered-log.ts";

export interface CheckedPage extends LogPage {
  /** The heads behind each entry. */
  readonly heads: readonly LogHead[];
}

/** As large as a sequencer's batches at most, which every backend takes. */
export function* cutBatches(
  after: LogHead,
  { entries, heads }: Pick<CheckedPage, "entries" | "heads">,
): Generator<LogBatch> {
  let from = 0;
  let behind = after;
  while (from < entries.length) {
    let to = from;
    let characters = 0;
    for (; to < entries.length && to - from < MAX_BATCH_ENTRIES; to++) {
      characters += entries[to]?.length ?? 0;
      if (to > from && characters > MAX_BATCH_CHARACTERS) break;
    }
    const head = heads[to - 1] ?? behind;
    yield { after: behind, head, entries: entries.slice(from, to) };
    [from, behind] = [to, head];
  }
}
