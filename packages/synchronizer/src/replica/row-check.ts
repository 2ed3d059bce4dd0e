/**
 * Checks of the replica's rows that nothing else proves: a contract's id binds its content, but a member, an account or a
 * submission's id follows from the log alone, and so does the history of scan. Each such row carries a CRC of its columns,
 * written with it, so that a bit that has changed on disk since is found without the log, by the scrub or by its first
 * reader. A CRC is no protection from somebody who can write the file.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { crc32 } from "node:zlib";

export type CheckedValue = string | number | bigint | null | Uint8Array;

/** No text of a row has this character. */
const NULL = "\0";

/** Of the columns as lines of text; bytes count as they are. */
export function rowCheck(...columns: readonly CheckedValue[]): number {
  let check = 0;
  let lines: (string | number | bigint)[] = [];
  for (const column of columns) {
    if (!(column instanceof Uint8Array)) lines.push(column ?? NULL);
    else {
      check = crc32(column, crc32(lines.join("\n"), check));
      lines = [];
    }
  }
  return lines.length === 0 ? check : crc32(lines.join("\n"), check);
}

export interface CheckedTable {
  readonly table: string;
  /** All columns, in the order of the table. */
  readonly columns: readonly [string, ...string[]];
  /** The columns of the primary key; the first one if omitted. */
  readonly key?: readonly string[];
  /** The number of last columns that were added to rows. They are not checked in rows of before, in which they are null. */
  readonly added?: number;
}

/** The check of a row with these values of all columns. */
export function checkOf({ added = 0 }: CheckedTable, values: readonly CheckedValue[]): number {
  const isFormer = added > 0 && values.slice(-added).every((value) => value === null);
  return rowCheck(...(isFormer ? values.slice(0, -added) : values));
}

const STATE_TABLES = [
  { table: "head", columns: ["one", "sequence", "entry_hash", "digest", "record_time", "contracts"] },
  { table: "network", columns: ["one", "body"] },
  { table: "template", columns: ["id", "name"] },
  { table: "member", columns: ["id", "body"] },
  { table: "traffic", columns: ["id", "body"] },
  { table: "hosting", columns: ["party", "serial", "hosts"] },
  { table: "stamp", columns: ["sv", "stamped_at"] },
] as const satisfies readonly CheckedTable[];

/** The column of a short hash of the first column, in tables whose keys are long. */
export const KEY_HASH = "key_hash";

/** Columns that have the ids of a row in few bytes. Its texts are empty then. */
const ADDED = ["frame", "ids"] as const;
const SHORT_KEY = [KEY_HASH, "key", ...ADDED] as const;

/** Ids that have been used. */
export const SUBMISSIONS = {
  table: "submission",
  columns: ["key", "until", KEY_HASH, ...ADDED],
  key: SHORT_KEY,
  added: ADDED.length,
} as const satisfies CheckedTable;
export const COMMANDS = {
  table: "command",
  columns: ["key", "submission_id", "record_time", KEY_HASH, ...ADDED],
  key: SHORT_KEY,
  added: ADDED.length,
} as const satisfies CheckedTable;

/** The same with texts alone, and before that without hashes, as earlier releases had them. */
export const TEXT_SUBMISSIONS = {
  table: "submission",
  columns: ["key", "until", KEY_HASH],
} as const satisfies CheckedTable;
export const TEXT_COMMANDS = {
  table: "command",
  columns: ["key", "submission_id", "record_time", KEY_HASH],
} as const satisfies CheckedTable;
export const LONG_SUBMISSIONS = {
  table: "submission",
  columns: ["key", "until"],
} as const satisfies CheckedTable;
export const LONG_COMMANDS = {
  table: "command",
  columns: ["key", "submission_id", "record_time"],
} as const satisfies CheckedTable;

const FIRST_CHECKED_TABLES: readonly CheckedTable[] = [...STATE_TABLES, LONG_SUBMISSIONS, LONG_COMMANDS];

export const CONSUMER_KINDS = {
  table: "consumer_kind",
  columns: ["consumer", "template", "backfill"],
  key: ["consumer", "template"],
} as const satisfies CheckedTable;

export const CONTRACT_DICTIONARIES = {
  table: "contract_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;

export const KEY_FRAMES = {
  table: "key_frame",
  columns: ["id", "text"],
} as const satisfies CheckedTable;

export const CHECKED_TABLES = [
  ...STATE_TABLES,
  SUBMISSIONS,
  COMMANDS,
  KEY_FRAMES,
  { table: "sv_set", columns: ["id", "body"] },
  { table: "state_snapshot", columns: ["id", "body"] },
  { table: "day", columns: ["day", "sequence"] },
  CONSUMER_KINDS,
  CONTRACT_DICTIONARIES,
  { table: "row_sum", columns: ["name", "sum"] },
] as const satisfies readonly CheckedTable[];

export type CheckedTableName = (typeof CHECKED_TABLES)[number]["table"];

/** Adds the checks to the first tables that had them. */
export function addFirstRowChecks(database: DatabaseSync): void {
  database.exec("alter table head add column contracts integer not null default 0");
  database.prepare("update head set contracts = ?").run(sumContracts(database));
  for (const table of FIRST_CHECKED_TABLES) addRowChecks(database, table);
}

/** Rows that are read at a time when a table gets its checks. */
const ROWS_AT_ONCE = 1000;

/** Adds the checks to a table that has rows without them. Returns their sum. */
export function addRowChecks(database: DatabaseSync, { table, columns, key }: CheckedTable): number {
  const keys = key ?? [columns[0]];
  const names = keys.join(", ");
  const places = keys.map(() => "?").join(", ");
  database.exec(`alter table ${table} add column row_check integer not null default 0`);
  const select = (where: string) =>
    database.prepare(`select ${columns.join(", ")} from ${table} ${where} order by ${names} limit +?`);
  const [first, next] = [select(""), select(`where (${names}) > (${places})`)];
  const save = database.prepare(`update ${table} set row_check = ? where (${names}) = (${places})`);
  let sum = 0;
  let rows = first.all(ROWS_AT_ONCE);
  while (rows.length > 0) {
    let place: readonly SQLInputValue[] = [];
    for (const row of rows) {
      place = keys.map((column) => row[column] as SQLInputValue);
      const check = rowCheck(...columns.map((column) => row[column] as CheckedValue));
      save.run(check, ...place);
      sum = addCheck(sum, check);
    }
    rows = rows.length < ROWS_AT_ONCE ? [] : next.all(...place, ROWS_AT_ONCE);
  }
  return sum;
}

const HASHED_DIGITS = 12;
const SUMS = 2 ** (4 * HASHED_DIGITS);

/** A sum over rows of their checks: it shows that one is missing, or is there twice. */
export function addCheck(sum: number, check: number): number {
  return (sum + check) % SUMS;
}

export function takeCheck(sum: number, check: number): number {
  return (sum - check + SUMS) % SUMS;
}

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
