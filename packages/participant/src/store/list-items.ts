/** Items of the stream between two offsets, of some parties or all; a page at a time. */
import { checkNotPruned } from "./check-not-pruned.ts";
import type { LedgerStore } from "./ledger-store.ts";
import { SELECT_ITEM, type StoredItem } from "./stored-item.ts";
import {
  isShortPage,
  listPartySources,
  type OffsetPage,
  type OffsetSource,
  pageCondition,
  pageParameters,
  walkOffsets,
} from "./walk-offsets.ts";

export interface ItemRange extends OffsetPage {
  /** Updates that one of these parties witnesses; null for every update. */
  readonly witnesses: readonly string[] | null;
  /** Hosting changes of these parties, or of every party; null for no hosting changes. */
  readonly hostings: { readonly parties: ReadonlySet<string> | null } | null;
}

/** Throws for a range that begins before the pruned offset; an empty range may lie there. */
export async function listItems(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const items = await readItems(ledger, range);
  if (range.beginExclusive < range.endInclusive) checkNotPruned(ledger, range.beginExclusive);
  return items;
}

async function readItems(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const { beginExclusive, endInclusive, limit, descending } = range;
  const recent = descending ? null : ledger.recent.findAll(beginExclusive, endInclusive);
  if (recent !== null) return keepWanted(recent, range).slice(0, limit);
  const parties = (range.witnesses?.length ?? 0) + (range.hostings?.parties?.size ?? 0);
  if (isShortPage(range, parties)) return keepWanted(await readRows(ledger, "", range), range);
  const sources = await listSources(ledger, range);
  if (sources.length === 1 && sources[0] === TRANSACTIONS) {
    return readRows(ledger, "update_id is not null and ", range);
  }
  const items: StoredItem[] = [];
  for (const offset of await walkOffsets(ledger, sources, range)) {
    const item = await ledger.findItem(offset);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Of all items of a range, those that were asked for. */
function keepWanted(items: readonly StoredItem[], range: ItemRange): readonly StoredItem[] {
  const { hostings } = range;
  const witnesses = range.witnesses === null ? null : new Set(range.witnesses);
  return items.filter(({ item }) => {
    const isSeen = (party: string) => witnesses?.has(party) ?? true;
    if (witnesses === null && item.update !== null) return true;
    if (item.update?.events.some((event) => event.witnesses.some(isSeen)) === true) return true;
    return hostings !== null && item.hostings.some(({ party }) => hostings.parties?.has(party) ?? true);
  });
}

const TRANSACTIONS: OffsetSource = { from: "stream_item where update_id is not null" };
const TOPOLOGY: OffsetSource = { from: "topology_update where true" };

async function listSources(
  ledger: LedgerStore,
  { witnesses, hostings }: ItemRange,
): Promise<readonly OffsetSource[]> {
  const of = (table: string, parties: Iterable<string>) => listPartySources(ledger, table, parties);
  const transactions = witnesses === null ? [TRANSACTIONS] : await of("update_witness", witnesses);
  if (hostings === null) return transactions;
  const topology = hostings.parties === null ? [TOPOLOGY] : await of("hosting_change", hostings.parties);
  return [...transactions, ...topology];
}

async function readRows(ledger: LedgerStore, condition: string, range: ItemRange) {
  const query = `${SELECT_ITEM} where ${condition}${pageCondition(range)}`;
  return ledger.readItems(await ledger.sql.all(query, ...pageParameters(range)));
}
