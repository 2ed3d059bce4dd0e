/** Lists the entries of an index in its order, a few at a time. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { compareValues, type RowKey } from "./row-key.ts";
import type { IndexedTable, IndexTerm, TableIndex } from "./table-indexes.ts";

export interface IndexEntry {
  readonly values: RowKey;
  /** The key of the row that it leads to. */
  readonly row: RowKey;
}

export class IndexWalk {
  readonly #database: DatabaseSync;
  readonly #select: string;
  readonly #order: string;
  readonly #terms: readonly IndexTerm[];
  /** The number of terms that are the index's own; those of the row's key follow. */
  readonly #own: number;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, { table, key }: IndexedTable, { name, terms, where }: TableIndex) {
    this.#database = database;
    this.#terms = [...terms, ...key.map((sql) => ({ sql, isDescending: false }))];
    this.#own = terms.length;
    const columns = this.#terms.map(({ sql }, i) => `${sql} as c${i}`).join(", ");
    this.#select = `select ${columns} from ${table} indexed by ${name} where ${where}`;
    this.#order = this.#terms.map(({ sql, isDescending }) => (isDescending ? `${sql} desc` : sql)).join(", ");
  }

  /** The entries behind a place, which is an entry's values with its row's key. */
  list(place: RowKey | null, limit: number): readonly IndexEntry[] {
    if (place === null) return this.#read("", [], limit);
    const entries: IndexEntry[] = [];
    // Behind a place are, in this order, entries that differ from it in the last term alone, in the last two, and so on.
    for (let depth = this.#terms.length - 1; depth >= 0 && entries.length < limit; depth--) {
      const alike = this.#terms.slice(0, depth).map(({ sql }) => ` and ${sql} is ?`);
      for (const behind of listBehind(this.#terms[depth] as IndexTerm, place[depth] ?? null)) {
        const values = [...place.slice(0, depth), ...behind.values];
        entries.push(...this.#read(`${alike.join("")} and ${behind.sql}`, values, limit - entries.length));
      }
    }
    return entries;
  }

  /** In the order of the index. */
  compare(one: RowKey, other: RowKey): number {
    for (const [i, { isDescending }] of this.#terms.entries()) {
      const order = compareValues(one[i] ?? null, other[i] ?? null);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  }

  #read(where: string, values: RowKey, limit: number): readonly IndexEntry[] {
    if (limit === 0) return [];
    let statement = this.#statements.get(where);
    if (statement === undefined) {
      statement = this.#database.prepare(`${this.#select}${where} order by ${this.#order} limit +?`);
      this.#statements.set(where, statement);
    }
    return statement.all(...(values as SQLInputValue[]), limit).map((row) => {
      const all = this.#terms.map((_, i) => row[`c${i}`] as RowKey[number]);
      return { values: all.slice(0, this.#own), row: all.slice(this.#own) };
    });
  }
}

/** The conditions for values behind a given one. SQLite orders null before everything. */
function listBehind({ sql, isDescending }: IndexTerm, value: RowKey[number]) {
  if (!isDescending)
    return value === null
      ? [{ sql: `${sql} is not null`, values: [] }]
      : [{ sql: `${sql} > ?`, values: [value] }];
  if (value === null) return [];
  return [
    { sql: `${sql} < ?`, values: [value] },
    { sql: `${sql} is null`, values: [] },
  ];
}
