/**
 * Rows of a table with checks: each is written with its check and compared with it wherever it is read. A row that has
 * changed on disk is never used, and never written again with a new check, which would hide the change. Tables of consumers
 * have a sum of their checks as well, which shows a row that is missing.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { DatabaseDamaged, hexOf, isSqliteDamage } from "@callsign/node";
import {
  CHECKED_TABLES,
  type CheckedTable,
  type CheckedTableName,
  type CheckedValue,
  checkOf,
  KEY_HASH,
} from "./row-check.ts";

export type Row = Record<string, SQLOutputValue>;

/** The column of checks. */
const CHECK = "row_check";

/** The replica's database is damaged; the log is not. */
export class ReplicaDamaged extends DatabaseDamaged {}

/** True if reading the replica's database failed at a damaged page or a damaged row. */
export function isReplicaDamage(error: unknown): boolean {
  return isSqliteDamage(error) || error instanceof ReplicaDamaged;
}

/** A prepared query for whole rows. */
export interface CheckedQuery {
  readonly get: (...values: readonly SQLInputValue[]) => Row | undefined;
  readonly all: (...values: readonly SQLInputValue[]) => readonly Row[];
  readonly iterate: (...values: readonly SQLInputValue[]) => Generator<Row>;
}

/** Counts the checks of rows that come and go. A key is made only for a walk that it may concern. */
export interface CheckSums {
  readonly add: (table: CheckedTable, check: number, key: () => readonly CheckedValue[]) => void;
  readonly take: (table: CheckedTable, check: number, key: () => readonly CheckedValue[]) => void;
}

export class CheckedRows {
  readonly #database: DatabaseSync;
  readonly #table: CheckedTable;
  /** Places of the key among the columns. */
  readonly #key: readonly number[];
  readonly #names: string;
  readonly #sums: CheckSums | null;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #save: StatementSync;

  constructor(database: DatabaseSync, given: CheckedTableName | CheckedTable, sums: CheckSums | null = null) {
    const table = typeof given === "string" ? getTable(given) : given;
    const { columns, key = [columns[0]] } = table;
    this.#database = database;
    this.#table = table;
    this.#key = key.map((column) => columns.indexOf(column));
    this.#names = `${columns.join(", ")}, ${CHECK}`;
    this.#sums = sums;
    const isKey = key.map((column) => `${column} = ?`).join(" and ");
    this.#find = database.prepare(`select ${this.#names} from ${table.table} where ${isKey}`);
    const into = `into ${table.table} (${this.#names}) values (${columns.map(() => "?").join(", ")}, ?)`;
    this.#insert = database.prepare(`insert ${into}`);
    this.#save = database.prepare(`insert or replace ${into}`);
  }

  find(...key: readonly SQLInputValue[]): Row | undefined {
    const row = this.#find.get(...key);
    if (row !== undefined) this.check(row);
    return row;
  }

  /** The rows of a selection: SQL behind the name of the table, and its values. */
  list(selection = "", ...values: readonly SQLInputValue[]): Generator<Row> {
    return this.query(selection).iterate(...values);
  }

  /** A selection that is asked for again and again. */
  query(selection: string): CheckedQuery {
    const statement = this.#database.prepare(`select ${this.#names} from ${this.#table.table} ${selection}`);
    const check = (row: Row) => this.check(row);
    return {
      get: (...values) => {
        const row = statement.get(...values);
        if (row !== undefined) check(row);
        return row;
      },
      all: (...values) => {
        const rows = statement.all(...values);
        for (const row of rows) check(row);
        return rows;
      },
      iterate: function* (...values) {
        for (const row of statement.iterate(...values)) {
          check(row);
          yield row;
        }
      },
    };
  }

  /** Takes the values of all columns of a row that is new. */
  insert(...values: readonly CheckedValue[]): void {
    const check = checkOf(this.#table, values);
    this.#insert.run(...values, check);
    this.#add(values, check);
  }

  /** Takes the values of all columns. */
  save(...values: readonly CheckedValue[]): void {
    const key = () => this.#key.map((place) => values[place] as SQLInputValue);
    this.replace(this.#sums === null ? undefined : this.find(...key()), ...values);
  }

  /** The same in the place of a row that was read, or of none. */
  replace(former: Row | undefined, ...values: readonly CheckedValue[]): void {
    const check = checkOf(this.#table, values);
    this.#save.run(...values, check);
    if (former !== undefined) this.#take(former);
    this.#add(values, check);
  }

  /** Changes some columns of a row that was read. */
  change(row: Row, changed: Row): void {
    const values: Row = { ...row, ...changed };
    this.replace(row, ...this.#table.columns.map((column) => values[column] as CheckedValue));
  }

  /** Writes a row with all columns: in the place of the one that it was read as, or as a new one. It gets its check. */
  write(row: Row): void {
    const values = this.#table.columns.map((column) => row[column] as CheckedValue);
    const former = row[CHECK];
    const check = checkOf(this.#table, values);
    if (former === undefined) this.#insert.run(...values, check);
    else {
      this.#save.run(...values, check);
      this.#take(row);
    }
    row[CHECK] = BigInt(check);
    this.#add(values, check);
  }

  /** A function that deletes the rows of a selection, and returns them. */
  deletion(selection: string): (...values: readonly SQLInputValue[]) => readonly Row[] {
    const statement = this.#database.prepare(
      `delete from ${this.#table.table} ${selection} returning ${this.#names}`,
    );
    return (...values) => {
      const rows = statement.all(...values);
      for (const row of rows) {
        this.check(row);
        this.#take(row);
      }
      return rows;
    };
  }

  /** Compares a row of a query of the caller's own, which has all columns and the check. */
  check(row: Row): void {
    const damage = findDamage(this.#table, row);
    if (damage !== null) throw new ReplicaDamaged(damage);
  }

  #add(values: readonly CheckedValue[], check: number): void {
    this.#sums?.add(this.#table, check, () => this.#key.map((place) => values[place] as CheckedValue));
  }

  #take(row: Row): void {
    const { columns } = this.#table;
    this.#sums?.take(this.#table, Number(row[CHECK]), () =>
      this.#key.map((place) => row[columns[place] as string] as CheckedValue),
    );
  }
}

function getTable(name: CheckedTableName): CheckedTable {
  return CHECKED_TABLES.find((each) => each.table === name) as CheckedTable;
}

/** Says which row has changed since it was written; null if this one has not. */
export function findDamage(checked: CheckedTable, row: Row): string | null {
  const { table, columns, key = [columns[0]] } = checked;
  const values = columns.map((column) => row[column] as CheckedValue);
  if (BigInt(checkOf(checked, values)) === row[CHECK]) return null;
  const named = key.filter((column) => column !== KEY_HASH).map((column) => row[column]);
  const place = named.filter((value) => value !== null && value !== "").map(showValue);
  return `the row ${place.join(", ")} of the table ${table} has another check than its own`;
}

function showValue(value: SQLOutputValue | undefined): string {
  return (value instanceof Uint8Array ? hexOf(value) : String(value)).slice(0, 200);
}
