/** Collects the items of a range for a reader, batch by batch. */
import { type Host, nextTurn } from "@callsign/node";
import { LIST_BATCH, MAX_EXAMINED_ITEMS } from "../limits/limits.ts";
import type { LedgerReader } from "./ledger-reader.ts";

export interface CollectedItems<Item> {
  readonly found: readonly Item[];
  /** The offset up to which all items were examined; null for a list that was full before, or in descending order. */
  readonly reached: number | null;
  /**
   * The offset to continue after, or in descending order to continue from; null if the whole range was examined or enough
   * was found.
   */
  readonly rest: number | null;
}

export async function collectItems<Row extends { readonly offset: number }, Item>(
  host: Host,
  reader: Pick<LedgerReader<Row, Item>, "list" | "format">,
  range: {
    readonly begin: number;
    readonly end: number;
    readonly descending: boolean;
    readonly sought: number;
    /** True if the whole range is examined, however long it is. */
    readonly isWhole?: boolean;
    readonly signal?: AbortSignal;
  },
): Promise<CollectedItems<Item>> {
  const { descending, sought, isWhole = false, signal } = range;
  const found: Item[] = [];
  let { begin, end } = range;
  for (let lookedAt = 0; isWhole || lookedAt < MAX_EXAMINED_ITEMS; lookedAt += LIST_BATCH) {
    // Other requests get their turn between two batches.
    if (lookedAt > 0) await nextTurn(host.timers);
    // The caller has disconnected.
    if (signal?.aborted === true) return { found, reached: null, rest: null };
    const page = { beginExclusive: begin, endInclusive: end, limit: LIST_BATCH, descending };
    const rows = await reader.list(page);
    for (const row of rows) {
      if (found.length >= sought) return { found, reached: null, rest: null };
      found.push(...reader.format(row));
    }
    const last = rows.at(-1);
    if (rows.length < LIST_BATCH || last === undefined) {
      return { found, reached: descending ? null : range.end, rest: null };
    }
    if (descending) end = last.offset - 1;
    else begin = last.offset;
  }
  return descending ? { found, reached: null, rest: end } : { found, reached: begin, rest: begin };
}
