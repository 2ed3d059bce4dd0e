/**
 * The one row of a table that says where the index began to keep something: at the log's first entry, or, if the index is older
 * than the table or comes from a snapshot, at the first entry after that.
 */
import {
  CheckedRows,
  type CheckedTable,
  type CheckedValue,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";

export interface BeginningRow {
  /** Undefined before the first entry. */
  readonly find: () => Row | undefined;
  /** Writes the row, behind its key, unless there is one. True if it was written. */
  readonly ensure: (values: () => readonly CheckedValue[]) => boolean;
  /** Call after a transaction that was rolled back. */
  readonly reload: () => void;
}

export function openBeginning({ database, sums }: SummedDatabase, table: CheckedTable): BeginningRow {
  const rows = new CheckedRows(database, table, sums);
  let isKnown = false;
  return {
    find: () => rows.find(1),
    ensure: (values) => {
      if (isKnown) return false;
      isKnown = true;
      if (rows.find(1) !== undefined) return false;
      rows.insert(1, ...values());
      return true;
    },
    reload: () => {
      isKnown = false;
    },
  };
}
