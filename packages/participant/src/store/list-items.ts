/** Items of the stream between two offsets, of some parties or all; a page at a time. */
import type { SqlValue } from "@callsign/node";
import { checkNotPruned } from "./check-not-pruned.ts";
import { type LedgerStore, readItem, SELECT_ITEM, type StoredItem } from "./ledger-store.ts";

export interface ItemRange {
  readonly beginExclusive: number;
  readonly endInclusive: number;
  readonly limit: number;
  readonly descending: boolean;
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

/** Each source is a walk along one index; the found offsets are merged in order. */
async function readItems(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  if (isShort(range)) return readWhole(ledger, range);
  const sources = await listSources(ledger, range);
  const [only] = sources;
  if (only === undefined) return [];
  if (sources.length === 1 && only.from === TRANSACTIONS.from) return readTransactions(ledger, range);
  const offsets = new Set<bigint>();
  for (const source of sources) {
    for (const offset of await walk(ledger, source, range)) offsets.add(offset);
  }
  const sorted = [...offsets].sort((a, b) => (a < b === range.descending ? 1 : -1)).slice(0, range.limit);
  const items: StoredItem[] = [];
  for (const offset of sorted) {
    const item = await ledger.findItem(Number(offset));
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Fewer offsets than parties: a reader that follows the ledger for many parties asks about an offset or two each time. */
function isShort({ beginExclusive, endInclusive, limit, witnesses, hostings }: ItemRange): boolean {
  const parties = (witnesses?.length ?? 0) + (hostings?.parties?.size ?? 0);
  const offsets = endInclusive - beginExclusive;
  return offsets < parties && offsets <= limit;
}

/** Reads every item of the range and keeps the wanted ones. */
async function readWhole(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const { hostings } = range;
  const witnesses = range.witnesses === null ? null : new Set(range.witnesses);
  const rows = await ledger.sql.all(`${SELECT_ITEM} where ${rest(range)}`, ...boundsOf(range));
  return rows.map(readItem).filter(({ item }) => {
    const isSeen = (party: string) => witnesses?.has(party) ?? true;
    if (witnesses === null && item.update !== null) return true;
    if (item.update?.events.some((event) => event.witnesses.some(isSeen)) === true) return true;
    return hostings !== null && item.hostings.some(({ party }) => hostings.parties?.has(party) ?? true);
  });
}

interface Source {
  /** A table, and what holds of its rows; `$4` is the parameter. */
  readonly from: string;
  readonly parameter?: SqlValue;
}

const TRANSACTIONS: Source = { from: "stream_item where update_id is not null" };
const TOPOLOGY: Source = { from: "topology_update where true" };

async function listSources(
  ledger: LedgerStore,
  { witnesses, hostings }: ItemRange,
): Promise<readonly Source[]> {
  const of = (table: string, parties: Iterable<string>) => listPartySources(ledger, table, parties);
  const transactions = witnesses === null ? [TRANSACTIONS] : await of("update_witness", witnesses);
  if (hostings === null) return transactions;
  const topology = hostings.parties === null ? [TOPOLOGY] : await of("hosting_change", hostings.parties);
  return [...transactions, ...topology];
}

async function listPartySources(
  { sql, names }: LedgerStore,
  table: string,
  parties: Iterable<string>,
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const party of parties) {
    // A name without a number stands in no row.
    const parameter = await names.find(sql, party);
    if (parameter !== undefined) sources.push({ from: `${table} where party_number = $4`, parameter });
  }
  return sources;
}

async function walk(
  ledger: LedgerStore,
  { from, parameter }: Source,
  range: ItemRange,
): Promise<readonly bigint[]> {
  const rows = await ledger.sql.all(
    `select ledger_offset from ${from} and ${rest(range)}`,
    ...boundsOf(range),
    ...(parameter === undefined ? [] : [parameter]),
  );
  return rows.map((row) => row["ledger_offset"] as bigint);
}

async function readTransactions(ledger: LedgerStore, range: ItemRange): Promise<readonly StoredItem[]> {
  const rows = await ledger.sql.all(
    `${SELECT_ITEM} where update_id is not null and ${rest(range)}`,
    ...boundsOf(range),
  );
  return rows.map(readItem);
}

function rest({ descending }: ItemRange): string {
  const order = descending ? "desc" : "asc";
  return `ledger_offset > $1 and ledger_offset <= $2 order by ledger_offset ${order} limit $3`;
}

function boundsOf({ beginExclusive, endInclusive, limit }: ItemRange): readonly bigint[] {
  return [BigInt(beginExclusive), BigInt(endInclusive), BigInt(limit)];
}
