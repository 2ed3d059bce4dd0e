/**
 * For each table of the consumers whose rows have checks, the sum of those checks: it shows that a row is missing. Sums change
 * in memory with every row, and are written at the end of a transaction, as the rows of the state are.
 */
import type { DatabaseSync } from "node:sqlite";
import { CheckedRows, type CheckSums } from "./checked-rows.ts";
import { addCheck, addRowChecks, type CheckedTable, type CheckedValue, takeCheck } from "./row-check.ts";

/** Told of every row that comes or goes, by its key. */
export interface RowWatcher {
  readonly added: (key: readonly CheckedValue[], check: number) => void;
  readonly removed: (key: readonly CheckedValue[], check: number) => void;
  /** Rows were rolled back. */
  readonly reloaded: () => void;
}

/** A database with the sums of its tables. */
export interface SummedDatabase {
  readonly database: DatabaseSync;
  readonly sums: RowSums;
}

export class RowSums implements CheckSums {
  readonly #rows: CheckedRows;
  readonly #sums = new Map<string, number>();
  readonly #changed = new Set<string>();
  readonly #watchers = new Map<string, Set<RowWatcher>>();

  constructor(database: DatabaseSync) {
    this.#rows = new CheckedRows(database, "row_sum");
  }

  get(table: string): number {
    let sum = this.#sums.get(table);
    if (sum === undefined) {
      sum = Number(this.#rows.find(table)?.["sum"] ?? 0);
      this.#sums.set(table, sum);
    }
    return sum;
  }

  add({ table }: CheckedTable, check: number, key: () => readonly CheckedValue[]): void {
    this.#sums.set(table, addCheck(this.get(table), check));
    this.#changed.add(table);
    for (const { added } of this.#watchers.get(table) ?? []) added(key(), check);
  }

  take({ table }: CheckedTable, check: number, key: () => readonly CheckedValue[]): void {
    this.#sums.set(table, takeCheck(this.get(table), check));
    this.#changed.add(table);
    for (const { removed } of this.#watchers.get(table) ?? []) removed(key(), check);
  }

  /** Returns a function that stops watching. */
  watch({ table }: CheckedTable, watcher: RowWatcher): () => void {
    const watchers = this.#watchers.get(table) ?? new Set();
    this.#watchers.set(table, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(table);
    };
  }

  /** Writes the sums that have changed, in the caller's transaction. */
  save(): void {
    for (const table of this.#changed) this.#rows.save(table, this.get(table));
    this.#changed.clear();
  }

  /** Reads the sums again, after a transaction that was rolled back. */
  reload(): void {
    this.#sums.clear();
    this.#changed.clear();
    for (const watchers of this.#watchers.values()) for (const { reloaded } of watchers) reloaded();
  }
}

/** A migration that gives checks to the rows of tables, and sums to the tables. */
export function addSummedChecks(tables: readonly CheckedTable[]): (database: DatabaseSync) => void {
  return (database) => {
    const sums = new CheckedRows(database, "row_sum");
    for (const table of tables) sums.save(table.table, addRowChecks(database, table));
  };
}
