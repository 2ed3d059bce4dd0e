/**
 * Statements with lists: several rows in one insert, several values behind `in`. Lists have few different lengths, because a
 * store prepares each text once and keeps it.
 */
import type { Sql, SqlValue } from "./store.ts";

/** Lists of each length up to this one have a text of their own. */
const SHORT = 16;
/** The most values behind `in`. */
const LONG = 512;

export type SqlValues = readonly SqlValue[];

/**
 * Returns a function that inserts rows, each with a value for every column, into the table. The columns are as in SQL:
 * `"name, coins"`. No two rows of a call may have the same key if `onConflict` updates.
 */
export function insertInto(
  table: string,
  columns: string,
  onConflict = "",
): (sql: Sql, rows: readonly SqlValues[]) => Promise<void> {
  const texts: string[] = [];
  const textFor = (rows: readonly SqlValues[]): string => {
    const values = rows.map((row, index) => `(${placesFrom(index * row.length + 1, row)})`);
    return `insert into ${table} (${columns}) values ${values.join(", ")} ${onConflict}`;
  };
  return async (sql, rows) => {
    for (const some of shortLists(rows)) {
      texts[some.length] ??= textFor(some);
      await sql.run(texts[some.length] as string, ...some.flat());
    }
  };
}

/** Places of parameters, one for each of the given: `$1, $2, $3`. */
export function placesFrom(first: number, given: readonly unknown[]): string {
  return given.map((_, index) => `$${first + index}`).join(", ");
}

/** The list in parts of at most 16, for statements that grow with it. */
export function shortLists<T>(list: readonly T[]): readonly (readonly T[])[] {
  return split(list, SHORT);
}

/** The list in parts for `in`. The last value of a longer part is repeated until their number is a power of two. */
export function listsForIn<T>(list: readonly T[]): readonly (readonly T[])[] {
  return split(list, LONG).map((part) => {
    if (part.length <= SHORT) return part;
    const length = 2 ** Math.ceil(Math.log2(part.length));
    return Array.from({ length }, (_, index) => part[Math.min(index, part.length - 1)] as T);
  });
}

function split<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  if (list.length <= most) return list.length === 0 ? [] : [list];
  const parts: (readonly T[])[] = [];
  for (let from = 0; from < list.length; from += most) parts.push(list.slice(from, from + most));
  return parts;
}
