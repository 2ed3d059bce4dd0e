/** Items of the stream between two offsets that concern some parties, or all; a page at a time. */
import { checkNotPruned } from "../pruning/check-not-pruned.ts";
import { type LedgerStore, readItem, SELECT_ITEM, type StoredItem } from "./ledger-store.ts";

export interface ItemRange {
  readonly beginExclusive: number;
  readonly endInclusive: number;
  readonly limit: number;
  readonly descending: boolean;
  /** Null for all; otherwise updates that one of these witnesses. */
  readonly witnesses: readonly string[] | null;
  /** Whether changes of hosting are wanted besides. */
  readonly hostings: boolean;
}

/** Refuses a range that begins in what was pruned; an empty one may lie there. */
export async function listItems(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const items = await readItems(ledger, range);
  if (range.beginExclusive < range.endInclusive) checkNotPruned(ledger, range.beginExclusive);
  return items;
}

async function readItems(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const { sql } = ledger;
  const order = range.descending ? "desc" : "asc";
  const bounds = [BigInt(range.beginExclusive), BigInt(range.endInclusive), BigInt(range.limit)];
  if (range.witnesses === null || range.hostings) {
    const rows = await sql.all(
      `${SELECT_ITEM} where ledger_offset > $1 and ledger_offset <= $2 order by ledger_offset ${order} limit $3`,
      ...bounds,
    );
    return rows.map(readItem);
  }
  const offsets = new Set<bigint>();
  for (const party of range.witnesses) {
    const number = await ledger.names.find(sql, party);
    if (number === undefined) continue;
    const rows = await sql.all(
      `select ledger_offset from update_witness where ledger_offset > $1 and ledger_offset <= $2 and party_number = $4
        order by ledger_offset ${order} limit $3`,
      ...bounds,
      number,
    );
    for (const row of rows) offsets.add(row["ledger_offset"] as bigint);
  }
  const sorted = [...offsets].sort((a, b) => (a < b === range.descending ? 1 : -1)).slice(0, range.limit);
  const items: StoredItem[] = [];
  for (const offset of sorted) {
    const item = await ledger.findItem(Number(offset));
    if (item !== undefined) items.push(item);
  }
  return items;
}
