/**
 * Indexes against their tables: every row is found by each index of its table, and every entry of an index leads to a row
 * that has its values. An index that differs would answer with other rows than were asked for, each of them sound.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { hexOf } from "@callsign/node";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { compareKeys, formatKey, parseKey, type RowKey } from "./row-key.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";
import { type IndexedTable, listIndexedTables, type TableIndex } from "./table-indexes.ts";
import { IndexWalk } from "./walk-index.ts";

export function scrubTableIndexes(database: DatabaseSync): readonly ScrubPart[] {
  return listIndexedTables(database).flatMap((table) => [
    scrubPart(`rows of ${table.table} in its indexes`, () => walkRows(database, table)),
    ...table.indexes.map((index) =>
      scrubPart(`entries of ${index.name}`, () => walkEntries(database, table, index)),
    ),
  ]);
}

interface Walk {
  /** Checks the rows behind a place, and returns their places. */
  readonly check: (place: RowKey | null) => readonly RowKey[];
}

/** The walk's statements live from its first page to its last. */
function scrubPart(name: string, open: () => Walk): ScrubPart {
  let walk: Walk | null = null;
  return {
    name,
    store: "replica",
    check: (after) => {
      walk ??= open();
      const places = walk.check(after === "" ? null : parseKey(after));
      const behind = placeBehind(places, SCRUBBED_AT_ONCE, formatKey);
      if (behind === null) walk = null;
      return { after: behind, rows: places.length };
    },
  };
}

function walkRows(database: DatabaseSync, given: IndexedTable): Walk {
  const { table, key, access, indexes } = given;
  const keys = key.join(", ");
  const terms = indexes.flatMap((index) => [index.where, ...index.terms.map(({ sql }) => sql)]);
  const columns = [...key, ...terms].map((sql, i) => `${sql} as c${i}`).join(", ");
  const select = (where: string) =>
    database.prepare(`select ${columns} from ${table} ${access} ${where} order by ${keys} limit +?`);
  const first = select("");
  const next = select(`where (${keys}) > (${key.map(() => "?").join(", ")})`);
  const finds = indexes.map((index) => prepareFind(database, given, index));
  const checkRow = (row: Record<string, SQLOutputValue>): RowKey => {
    const values = [...key, ...terms].map((_, i) => row[`c${i}`] as SQLInputValue);
    const place = values.slice(0, key.length);
    let at = key.length;
    for (const [i, { name, terms: own }] of indexes.entries()) {
      const isIn = values[at] === 1n;
      const found = isIn && finds[i]?.get(...values.slice(at + 1, at + 1 + own.length), ...place);
      if (isIn && found === undefined)
        throw differs(
          `the row ${showKey(place as RowKey)} of the table ${table} is not found by its index ${name}`,
        );
      at += 1 + own.length;
    }
    return place as RowKey;
  };
  return {
    check: (place) => {
      const rows =
        place === null
          ? first.all(SCRUBBED_AT_ONCE)
          : next.all(...(place as SQLInputValue[]), SCRUBBED_AT_ONCE);
      let last = place;
      for (const row of rows) {
        const own = checkRow(row);
        if (last !== null && compareKeys(own, last) <= 0)
          throw differs(`the row ${showKey(own)} of the table ${table} stands behind ${showKey(last)}`);
        last = own;
      }
      return rows.map((row) => key.map((_, i) => row[`c${i}`] as RowKey[number]));
    },
  };
}

/** Finds a row by the index alone. */
function prepareFind(database: DatabaseSync, { table, key }: IndexedTable, index: TableIndex): StatementSync {
  const isEntry = [...index.terms.map(({ sql }) => sql), ...key].map((sql) => `${sql} is ?`).join(" and ");
  return database.prepare(
    `select 1 from ${table} indexed by ${index.name} where ${isEntry} and ${index.where}`,
  );
}

function walkEntries(database: DatabaseSync, given: IndexedTable, index: TableIndex): Walk {
  const { table, key, access } = given;
  const walk = new IndexWalk(database, given, index);
  const isRow = [...key, ...index.terms.map(({ sql }) => `(${sql})`)]
    .map((sql) => `${sql} is ?`)
    .join(" and ");
  const find = database.prepare(`select 1 from ${table} ${access} where ${isRow} and ${index.where}`);
  return {
    check: (place) => {
      const entries = walk.list(place, SCRUBBED_AT_ONCE);
      let last = place;
      for (const { values, row } of entries) {
        const own = [...values, ...row];
        if (last !== null && walk.compare(own, last) <= 0)
          throw differs(
            `the entry ${showKey(own)} of the index ${index.name} stands behind ${showKey(last)}`,
          );
        if (find.get(...([...row, ...values] as SQLInputValue[])) === undefined)
          throw differs(
            `the index ${index.name} leads ${showKey(values)} to the row ${showKey(row)}, which has other values`,
          );
        last = own;
      }
      return entries.map(({ values, row }) => [...values, ...row]);
    },
  };
}

function showKey(key: RowKey): string {
  return key
    .map((value) => (value instanceof Uint8Array ? hexOf(value) : String(value)).slice(0, 200))
    .join(", ");
}
