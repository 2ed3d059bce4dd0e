/** Offsets of a page, found by walks along indexes: one for each source, merged in order. */
import type { SqlValue } from "@callsign/node";
import type { LedgerStore } from "./ledger-store.ts";

export interface OffsetPage {
  readonly beginExclusive: number;
  readonly endInclusive: number;
  readonly limit: number;
  readonly descending: boolean;
}

export interface OffsetSource {
  /** A table, and what holds of its rows; `$4` is the parameter. */
  readonly from: string;
  readonly parameter?: SqlValue;
}

export async function walkOffsets(
  { sql }: LedgerStore,
  sources: readonly OffsetSource[],
  page: OffsetPage,
): Promise<readonly number[]> {
  const offsets = new Set<bigint>();
  for (const { from, parameter } of sources) {
    const rows = await sql.all(
      `select ledger_offset from ${from} and ${pageCondition(page)}`,
      ...pageParameters(page),
      ...(parameter === undefined ? [] : [parameter]),
    );
    for (const row of rows) offsets.add(row["ledger_offset"] as bigint);
  }
  const sorted = [...offsets].sort((a, b) => (a < b === page.descending ? 1 : -1));
  return sorted.slice(0, page.limit).map(Number);
}

/** The rows of each party in a table with the columns `party_number` and `ledger_offset`. */
export async function listPartySources(
  { sql, memory }: LedgerStore,
  table: string,
  parties: Iterable<string>,
): Promise<readonly OffsetSource[]> {
  const sources: OffsetSource[] = [];
  for (const party of parties) {
    // A name without a number stands in no row.
    const parameter = await memory.names.find(sql, party);
    if (parameter !== undefined) sources.push({ from: `${table} where party_number = $4`, parameter });
  }
  return sources;
}

/** Fewer offsets than parties: a reader that follows the ledger for many parties asks about an offset or two each time. */
export function isShortPage({ beginExclusive, endInclusive, limit }: OffsetPage, parties: number): boolean {
  const offsets = endInclusive - beginExclusive;
  return offsets < parties && offsets <= limit;
}

/** The end of a query for a page; `$1` to `$3` are the `pageParameters`. */
export function pageCondition({ descending }: OffsetPage): string {
  const order = descending ? "desc" : "asc";
  return `ledger_offset > $1 and ledger_offset <= $2 order by ledger_offset ${order} limit $3`;
}

export function pageParameters({ beginExclusive, endInclusive, limit }: OffsetPage): readonly bigint[] {
  return [BigInt(beginExclusive), BigInt(endInclusive), BigInt(limit)];
}
