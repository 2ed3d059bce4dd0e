/** The tables of a database with the indexes beside their own order, as SQLite's schema describes them. */
import type { DatabaseSync } from "node:sqlite";

export interface IndexedTable {
  readonly table: string;
  /** The columns of the table's own order. */
  readonly key: readonly string[];
  /** The clause that reads the table in its own order. */
  readonly access: string;
  readonly indexes: readonly TableIndex[];
}

export interface TableIndex {
  readonly name: string;
  readonly terms: readonly IndexTerm[];
  /** The condition for rows that the index has. */
  readonly where: string;
}

export interface IndexTerm {
  /** A column, or an expression of columns. */
  readonly sql: string;
  readonly isDescending: boolean;
}

/** Only tables that have such an index. */
export function listIndexedTables(database: DatabaseSync): readonly IndexedTable[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name")
    .all()
    .map(({ name }) => describeTable(database, name as string))
    .filter(({ indexes }) => indexes.length > 0);
}

/** The columns of a table's own order, and the clause that reads the table by them and by no other index. */
export function findOwnOrder(
  database: DatabaseSync,
  table: string,
): Pick<IndexedTable, "key" | "access"> & { readonly index: string | null } {
  const isRowless = database.prepare("select wr from pragma_table_list(?)").get(table)?.["wr"] === 1n;
  if (!isRowless) return { key: ["rowid"], access: "not indexed", index: null };
  const index = database.prepare("select name from pragma_index_list(?) where origin = 'pk'").get(table)?.[
    "name"
  ];
  const key = database.prepare("select name from pragma_table_info(?) where pk > 0 order by pk").all(table);
  return {
    key: key.map(({ name }) => name as string),
    access: `indexed by ${index as string}`,
    index: index as string,
  };
}

function describeTable(database: DatabaseSync, table: string): IndexedTable {
  const { key, access, index: own } = findOwnOrder(database, table);
  const indexes = database
    .prepare(
      "select l.name, s.sql from pragma_index_list(?) l left join sqlite_schema s on s.name = l.name order by l.name",
    )
    .all(table)
    .filter(({ name }) => name !== own)
    .map(({ name, sql }) => {
      const index = name as string;
      return sql === null ? describeConstraint(database, index) : parseIndex(index, sql as string);
    });
  return { table, key, access, indexes };
}

/** The index of a `unique` or of a primary key, which has no text of its own. */
function describeConstraint(database: DatabaseSync, name: string): TableIndex {
  const columns = database.prepare("select name from pragma_index_info(?) order by seqno").all(name);
  return {
    name,
    terms: columns.map((column) => ({ sql: column["name"] as string, isDescending: false })),
    where: "true",
  };
}

/** Reads `create index NAME on TABLE (TERM, …) where CONDITION`. */
export function parseIndex(name: string, sql: string): TableIndex {
  const terms: IndexTerm[] = [];
  let [begin, at] = [sql.indexOf("(") + 1, sql.indexOf("(") + 1];
  for (let depth = 0; depth >= 0; at++) {
    const character = sql[at];
    if (character === undefined) throw new TypeError(`${name} has no end: ${sql}`);
    if (character === "'") at = sql.indexOf("'", at + 1);
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    if (depth < 0 || (depth === 0 && character === ",")) {
      terms.push(parseTerm(sql.slice(begin, at)));
      begin = at + 1;
    }
  }
  const [, where = "true"] = /^\s*where\s+(.+)$/is.exec(sql.slice(at)) ?? [];
  return { name, terms, where };
}

function parseTerm(text: string): IndexTerm {
  const [, sql = "", order = ""] = /^\s*(.+?)(?:\s+(asc|desc))?\s*$/is.exec(text) ?? [];
  return { sql, isDescending: order.toLowerCase() === "desc" };
}
