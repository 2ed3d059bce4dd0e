/** Collects the updates of a range for a reader, in any form, batch by batch. */
import type { TreeUpdate, Update } from "@callsign/api";
import { type Host, nextTurn } from "@callsign/node";
import { formatTreeUpdate } from "../events/format-transaction-tree.ts";
import { type FormatUpdateParts, formatUpdate, type UpdateView } from "../events/format-update.ts";
import { LIST_BATCH, MAX_EXAMINED_ITEMS } from "../limits/limits.ts";
import type { LedgerStore, StoredItem } from "../store/ledger-store.ts";
import { listItems } from "../store/list-items.ts";
import type { Collected } from "./list-and-wait.ts";

export interface UpdateRange {
  readonly begin: number;
  readonly end: number;
  readonly descending: boolean;
  readonly sought: number;
  /** True if the whole range is examined, however long it is. */
  readonly isWhole?: boolean;
  readonly signal?: AbortSignal;
}

export interface CollectUpdatesParts extends FormatUpdateParts {
  readonly host: Host;
  readonly ledger: LedgerStore;
}

export interface CollectedRange<T> extends Collected<T> {
  /**
   * The offset to continue after, or in descending order to continue from; null if the whole range was examined or enough
   * was found.
   */
  readonly rest: number | null;
}

export function collectUpdates(
  parts: CollectUpdatesParts,
  view: UpdateView,
  range: UpdateRange,
): Promise<CollectedRange<Update>> {
  return collectItems(parts, view, range, (item) => formatUpdate(parts, view, item));
}

export function collectTrees(
  parts: CollectUpdatesParts,
  view: UpdateView,
  range: UpdateRange,
): Promise<CollectedRange<TreeUpdate>> {
  return collectItems(parts, view, range, (item) => formatTreeUpdate(parts, view, item));
}

export async function collectItems<T>(
  { host, ledger }: Pick<CollectUpdatesParts, "host" | "ledger">,
  view: UpdateView,
  range: UpdateRange,
  format: (item: StoredItem) => readonly T[],
): Promise<CollectedRange<T>> {
  const { descending, sought, isWhole = false, signal } = range;
  const found: T[] = [];
  let { begin, end } = range;
  for (let lookedAt = 0; isWhole || lookedAt < MAX_EXAMINED_ITEMS; lookedAt += LIST_BATCH) {
    // Other requests get their turn between two batches.
    if (lookedAt > 0) await nextTurn(host.timers);
    // The caller has disconnected.
    if (signal?.aborted === true) return { found, reached: null, rest: null };
    const items = await listItems(ledger, {
      beginExclusive: begin,
      endInclusive: end,
      limit: LIST_BATCH,
      descending,
      witnesses: view.witnesses,
      hostings: view.topology,
    });
    for (const item of items) {
      if (found.length >= sought) return { found, reached: null, rest: null };
      found.push(...format(item));
    }
    const last = items.at(-1);
    if (items.length < LIST_BATCH || last === undefined) {
      return { found, reached: descending ? null : range.end, rest: null };
    }
    if (descending) end = last.offset - 1;
    else begin = last.offset;
  }
  return descending ? { found, reached: null, rest: end } : { found, reached: begin, rest: begin };
}
