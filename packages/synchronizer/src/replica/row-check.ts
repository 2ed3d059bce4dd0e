/**
 * Checks of the replica's rows that nothing else proves: a contract's id binds its content, but a member, an account or a
 * submission's id follows from the log alone. Each such row carries a CRC of its columns, written with it, so that a bit
 * that has changed on disk since is found without the log, by the scrub or by its first reader. A CRC is no protection from somebody who can write the file.
 */
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";

export function rowCheck(...columns: readonly (string | number | bigint)[]): number {
  return crc32(columns.join("\n"));
}

export interface CheckedTable {
  readonly table: string;
  /** The key comes first. */
  readonly columns: readonly [string, ...string[]];
}

const FIRST_CHECKED_TABLES = [
  { table: "head", columns: ["one", "sequence", "entry_hash", "digest", "record_time", "contracts"] },
  { table: "network", columns: ["one", "body"] },
  { table: "template", columns: ["id", "name"] },
  { table: "member", columns: ["id", "body"] },
  { table: "traffic", columns: ["id", "body"] },
  { table: "hosting", columns: ["party", "serial", "hosts"] },
  { table: "stamp", columns: ["sv", "stamped_at"] },
  { table: "submission", columns: ["key", "until"] },
  { table: "command", columns: ["key", "submission_id", "record_time"] },
] as const satisfies readonly CheckedTable[];

export const CHECKED_TABLES = [
  ...FIRST_CHECKED_TABLES,
  { table: "sv_set", columns: ["id", "body"] },
  { table: "state_snapshot", columns: ["id", "body"] },
  { table: "day", columns: ["day", "sequence"] },
] as const satisfies readonly CheckedTable[];

export type CheckedTableName = (typeof CHECKED_TABLES)[number]["table"];

/** Adds the checks to tables that have rows without them. */
export function addRowChecks(database: DatabaseSync): void {
  database.exec("alter table head add column contracts integer not null default 0");
  database.prepare("update head set contracts = ?").run(sumContracts(database));
  for (const { table, columns } of FIRST_CHECKED_TABLES) {
    database.exec(`alter table ${table} add column row_check integer not null default 0`);
    const [key] = columns;
    const save = database.prepare(`update ${table} set row_check = ? where ${key} = ?`);
    const rows = database.prepare(`select ${columns.join(", ")} from ${table}`).all();
    for (const row of rows) {
      const values = Object.values(row) as (string | bigint)[];
      save.run(rowCheck(...values), values[0] as string | bigint);
    }
  }
}

const HASHED_DIGITS = 12;
const SUMS = 2 ** (4 * HASHED_DIGITS);

/** The sum over contracts of a part of their ids: it shows that one is missing, or is there and should not be. */
export function addToSum(sum: number, contractId: string): number {
  return (sum + partOf(contractId)) % SUMS;
}

export function takeFromSum(sum: number, contractId: string): number {
  return (sum - partOf(contractId) + SUMS) % SUMS;
}

function partOf(contractId: string): number {
  return Number.parseInt(contractId.slice(-HASHED_DIGITS), 16);
}

function sumContracts(database: DatabaseSync): number {
  let sum = 0;
  for (const row of database.prepare("select contract_id from contract").iterate())
    sum = addToSum(sum, row["contract_id"] as string);
  return sum;
}
