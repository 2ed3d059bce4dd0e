/**
 * The rows of a table that have ended and that snapshots still show, deleted once their last snapshot is. The earliest end is
 * remembered, so that most entries ask the database nothing.
 */
import type { CheckedRows, SummedDatabase } from "@callsign/synchronizer";

export interface EndedTable {
  readonly table: string;
  readonly key: string;
  /** The condition for a row that has ended, as the index of the column `ended` has it. */
  readonly isEnded: string;
}

export interface EndedRowsParts extends EndedTable {
  readonly rows: CheckedRows;
  /** Writes the rows that wait. */
  readonly save: () => void;
}

export function openEndedRows(
  { database }: Pick<SummedDatabase, "database">,
  { table, key, isEnded, rows, save }: EndedRowsParts,
) {
  const readFirst = database.prepare(`select min(ended) as first from ${table} where ${isEnded}`);
  const remove = rows.deletion(
    `where ${key} in (select ${key} from ${table} where ${isEnded} and ended <= ? order by ended limit +?)`,
  );
  /** Null if no row has ended, undefined if it is to be read. */
  let first: bigint | null | undefined;
  const findFirst = () => (readFirst.get()?.["first"] ?? null) as bigint | null;
  return {
    /** A row has ended. It may still wait. */
    note: (end: bigint): void => {
      if (first === undefined) first = findFirst();
      if (first === null || end < first) first = end;
    },
    /** Deletes the first that ended until then, within the limit. */
    forget: (until: bigint, limit: number): void => {
      if (first === undefined) first = findFirst();
      if (first === null || first > until) return;
      save();
      remove(until, limit);
      first = findFirst();
    },
    reload: (): void => {
      first = undefined;
    },
  };
}
