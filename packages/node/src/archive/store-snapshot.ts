/** A store as it is at one moment, to be read whole. */
import type { Sql, SqlValue } from "../database/store.ts";

export interface StoredTable {
  readonly name: string;
  /** In the order of their names. */
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order; none if there is no key. */
  readonly key: readonly string[];
  /** Tables that its foreign keys name. */
  readonly references: readonly string[];
}

export interface StoreSnapshot {
  readonly sql: Sql;
  readonly listTables: () => Promise<readonly StoredTable[]>;
  /** The rows of a select statement, a bounded number at a time. */
  readonly read: (
    select: string,
    columns: readonly string[],
  ) => AsyncIterable<readonly (readonly SqlValue[])[]>;
  readonly close: () => Promise<void>;
}

/** Rows that are in memory at a time. */
export const ROWS_AT_A_TIME = 100;

/** Tables of a database's own that are no part of the store: its version stands in the header. */
const OWN_TABLES: readonly string[] = ["store_version", "store_commit"];

/** The store's tables, each behind those that it refers to. */
export function orderTables(tables: readonly StoredTable[]): readonly StoredTable[] {
  const waiting = new Map(
    tables
      .filter(({ name }) => !OWN_TABLES.includes(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((table) => [table.name, table]),
  );
  const ordered: StoredTable[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ name, references }) =>
      references.every((each) => each === name || !waiting.has(each)),
    );
    if (next === undefined) throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()]}`);
    waiting.delete(next.name);
    ordered.push(next);
  }
  return ordered;
}

/** Reads a table in the order of its key. Both databases order texts by their bytes. */
export function selectTable({ name, columns, key }: StoredTable, condition?: string): string {
  // The databases differ in where nulls come; a key has none.
  const order = key.length > 0 ? key.map(quote) : columns.map((column) => `${quote(column)} nulls first`);
  const where = condition === undefined ? "" : ` where ${condition}`;
  return `select ${columns.map(quote).join(", ")} from ${quote(name)}${where} order by ${order.join(", ")}`;
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
