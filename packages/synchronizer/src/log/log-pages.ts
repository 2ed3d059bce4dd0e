/** Pages of a log whose backend keeps whole batches. */
import { LOG_PAGE, LOG_PAGE_CHARACTERS } from "../limits/limits.ts";
import { previousHashOf } from "./entry-hashes.ts";
import type { LogBatch, LogPage } from "./ordered-log.ts";

/** The entries of consecutive batches behind an entry, in pages of the usual size. A batch that is too long is cut. */
export function* cutPages(
  batches: readonly Pick<LogBatch, "after" | "head" | "entries">[],
  after: number,
): Generator<LogPage> {
  const hashes = new Map(batches.map(({ head }) => [head.sequence, head.entryHash]));
  const entries = batches.flatMap((batch) =>
    batch.entries.slice(Math.max(0, Math.min(batch.entries.length, after - batch.after.sequence))),
  );
  for (let from = 0; from < entries.length; ) {
    const to = endOfPage(entries, from);
    const sequence = after + to;
    const entryHash = hashes.get(sequence) ?? previousHashOf(entries[to] ?? "");
    yield { entries: entries.slice(from, to), head: { sequence, entryHash } };
    from = to;
  }
}

function endOfPage(entries: readonly string[], from: number): number {
  let characters = 0;
  let to = from;
  for (; to < entries.length && to - from < LOG_PAGE; to++) {
    characters += entries[to]?.length ?? 0;
    if (to > from && characters > LOG_PAGE_CHARACTERS) break;
  }
  return to;
}
