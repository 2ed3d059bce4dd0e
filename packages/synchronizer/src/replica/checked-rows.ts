/**
 * Rows of a table with checks: each is written with its check and compared with it wherever it is read. A row that has
 * changed on disk is never used, and never written again with a new check, which would hide the change.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { DatabaseDamaged, isSqliteDamage } from "@callsign/node";
import { CHECKED_TABLES, type CheckedTable, type CheckedTableName, rowCheck } from "./row-check.ts";

export type Row = Record<string, SQLOutputValue>;

/** The replica's database is damaged; the log is not. */
export class ReplicaDamaged extends DatabaseDamaged {}

/** True if reading the replica's database failed at a damaged page or a damaged row. */
export function isReplicaDamage(error: unknown): boolean {
  return isSqliteDamage(error) || error instanceof ReplicaDamaged;
}

export class CheckedRows {
  readonly #database: DatabaseSync;
  readonly #table: CheckedTable;
  readonly #select: string;
  readonly #find: StatementSync;
  readonly #save: StatementSync;

  constructor(database: DatabaseSync, name: CheckedTableName) {
    const table = CHECKED_TABLES.find((each) => each.table === name) as CheckedTable;
    const { columns } = table;
    this.#database = database;
    this.#table = table;
    this.#select = `select ${columns.join(", ")}, row_check from ${name}`;
    this.#find = database.prepare(`${this.#select} where ${columns[0]} = ?`);
    const places = columns.map(() => "?").join(", ");
    this.#save = database.prepare(
      `insert or replace into ${name} (${columns.join(", ")}, row_check) values (${places}, ?)`,
    );
  }

  find(key: string | number): Row | undefined {
    const row = this.#find.get(key);
    if (row !== undefined) this.#check(row);
    return row;
  }

  /** The rows of a selection: SQL behind the name of the table, and its values. */
  *list(selection = "", ...values: readonly SQLInputValue[]): Generator<Row> {
    for (const row of this.#database.prepare(`${this.#select} ${selection}`).iterate(...values)) {
      this.#check(row);
      yield row;
    }
  }

  /** Takes the values of all columns. */
  save(...values: readonly (string | number | bigint)[]): void {
    this.#save.run(...values, rowCheck(...values));
  }

  #check(row: Row): void {
    const damage = findDamage(this.#table, row);
    if (damage !== null) throw new ReplicaDamaged(damage);
  }
}

/** Says which row has changed since it was written; null if this one has not. */
export function findDamage({ table, columns }: CheckedTable, row: Row): string | null {
  const values = columns.map((column) => row[column] as string | bigint);
  if (BigInt(rowCheck(...values)) === row["row_check"]) return null;
  return `the row ${String(values[0]).slice(0, 200)} of the table ${table} has another check than its own`;
}
