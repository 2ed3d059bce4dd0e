/** Updates of a range as their reader asked for them, in any form, looked for batch by batch. */
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
  /** Everything is looked at, however much that is. */
  readonly isWhole?: boolean;
  readonly signal?: AbortSignal;
}

export interface CollectUpdatesParts extends FormatUpdateParts {
  readonly host: Host;
  readonly ledger: LedgerStore;
}

export interface CollectedRange<T> extends Collected<T> {
  /**
   * Where to go on if not everything was looked at: behind this offset, or in descending order from it on; null where
   * everything was, or enough found.
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
    // The store answers at once: others have their turn in between.
    if (lookedAt > 0) await nextTurn(host.timers);
    // Nobody waits for it any more.
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
