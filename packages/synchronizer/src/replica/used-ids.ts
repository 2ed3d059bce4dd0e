/**
 * Ids that have been used: of submissions and of accepted commands. They are long, each is looked for, and nearly none is there. So
 * rows stand in the order in which they came, and an index of short hashes finds them: a new id changes the last page of the
 * table and one of few pages of the index.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { AcceptedCommand, Time } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import { REMEMBERED_ABSENT_IDS } from "../limits/limits.ts";
import { CheckedRows, type Row } from "./checked-rows.ts";
import type { RowAccess } from "./keyed-rows.ts";
import {
  type CheckedTable,
  COMMANDS,
  KEY_HASH,
  LONG_COMMANDS,
  LONG_SUBMISSIONS,
  SUBMISSIONS,
  TEXT_COMMANDS,
  TEXT_SUBMISSIONS,
} from "./row-check.ts";
import { type FindId, hashKey, readSubmissionId, USED_KEY, UsedIdTexts } from "./used-id-texts.ts";

const TABLES = `
  create table submission (
    key text not null,
    until integer not null,
    ${KEY_HASH} integer not null,
    row_check integer not null
  ) strict;
  create index submission_key on submission (${KEY_HASH});
  create index submission_until on submission (until);
  create table command (
    key text not null,
    submission_id text not null,
    record_time integer not null,
    ${KEY_HASH} integer not null,
    row_check integer not null
  ) strict;
  create index command_key on command (${KEY_HASH});
  create index command_time on command (record_time);
`;

/** Rows of before stay as they are. */
export const SHORT_IDS = `
  alter table submission add column frame integer;
  alter table submission add column ids blob;
  alter table command add column frame integer;
  alter table command add column ids blob;
  create table key_frame (id integer primary key, text text not null unique, row_check integer not null) strict;
`;

/** Moves the ids of an earlier release into tables in which hashes find them. */
export function addKeyHashes(database: DatabaseSync): void {
  database.exec(`
    alter table submission rename to long_submission;
    alter table command rename to long_command;
    drop index submission_until;
    drop index command_time;
    ${TABLES}
  `);
  moveRows(database, LONG_SUBMISSIONS, TEXT_SUBMISSIONS);
  moveRows(database, LONG_COMMANDS, TEXT_COMMANDS);
}

function moveRows(database: DatabaseSync, { table, columns }: CheckedTable, to: CheckedTable): void {
  const from = `long_${table}`;
  const rows = new CheckedRows(database, to);
  for (const row of new CheckedRows(database, { table: from, columns }).list())
    rows.insert(...columns.map((column) => row[column] as string | bigint), hashKey(row["key"] as string));
  database.exec(`drop table ${from}`);
}

interface UsedIds extends CheckedTable {
  readonly findId: FindId;
}

/** The key is `member/id`, and a member has no slash. */
const SUBMISSION_IDS: UsedIds = { ...SUBMISSIONS, findId: (key) => [key.indexOf("/") + 1, key.length] };

/** The key is `["user","id","party"…]`. */
const COMMAND_IDS: UsedIds = {
  ...COMMANDS,
  findId: (key) => {
    const begin = key.indexOf('","') + 3;
    return [begin, Math.max(begin, key.indexOf('"', begin))];
  },
};

/** The values of a row without its hash: texts, the key first, and a time. */
type UsedIdRow = readonly [key: string, ...values: (string | bigint)[]];

export function submissionAccess(database: DatabaseSync, texts: UsedIdTexts): RowAccess<Time> {
  return usedIds(
    database,
    { table: SUBMISSION_IDS, texts },
    {
      read: (row) => row["until"] as Time,
      values: (key, until) => [key, until],
    },
  );
}

export function commandAccess(database: DatabaseSync, texts: UsedIdTexts): RowAccess<AcceptedCommand> {
  return usedIds(
    database,
    { table: COMMAND_IDS, texts },
    {
      read: readCommand,
      values: (key, { submissionId, recordTime }) => [key, submissionId, recordTime],
    },
  );
}

interface IdParts {
  readonly table: UsedIds;
  readonly texts: UsedIdTexts;
}

function usedIds<T>(
  database: DatabaseSync,
  { table, texts }: IdParts,
  { read, values }: { read: (row: Row) => T; values: (key: string, used: T) => UsedIdRow },
): RowAccess<T> {
  const rows = new CheckedRows(database, table);
  const byHash = rows.query(`where ${KEY_HASH} = ?`);
  const find = (key: string, hashed: number) => byHash.all(hashed).find((row) => texts.key(row) === key);
  const place = [KEY_HASH, "key", "frame", "ids"];
  const remove = rows.deletion(`where ${place.map((column) => `${column} is ?`).join(" and ")}`);
  const insert = inserter(rows, { table, texts });
  /** The hashes of keys that were looked for and have no row: nearly all are written soon. */
  const absent = new BoundedMap<string, number>({ limit: REMEMBERED_ABSENT_IDS });
  return {
    read: (key) => {
      const hashed = hashKey(key);
      const row = find(key, hashed);
      if (row !== undefined) return read(row);
      absent.set(key, hashed);
      return undefined;
    },
    // An id that no longer counts may be used again.
    write: (key, used) => {
      const hashed = absent.get(key) ?? hashKey(key);
      const row = absent.delete(key) ? undefined : find(key, hashed);
      if (row !== undefined) remove(...place.map((column) => row[column] as SQLInputValue));
      insert(values(key, used), hashed);
    },
    remembered: 0,
  };
}

function inserter(rows: CheckedRows, { table, texts }: IdParts): (row: UsedIdRow, hashed?: number) => void {
  return ([key, ...values], hashed = hashKey(key)) => {
    const others = values.filter((value) => typeof value === "string");
    const times = values.filter((value) => typeof value === "bigint");
    const kept = texts.pack(table.findId, [key, ...others]);
    rows.insert(...kept.texts, ...times, hashed, kept.frame, kept.ids);
  };
}

/** A function that adds rows to one of the tables, which has none of them. */
export function usedIdAdder(
  database: DatabaseSync,
  name: "submission" | "command",
): (row: UsedIdRow) => void {
  const table = name === "command" ? COMMAND_IDS : SUBMISSION_IDS;
  return inserter(new CheckedRows(database, table), { table, texts: new UsedIdTexts(database) });
}

/** The commands from a time on, in the order of their keys. The connection has the function of keys. */
export function* listCommands(
  database: DatabaseSync,
  first: Time,
): Generator<readonly [key: string, command: AcceptedCommand]> {
  const texts = new UsedIdTexts(database);
  const rows = new CheckedRows(database, COMMANDS);
  for (const row of rows.list(`where record_time >= ? order by ${USED_KEY}`, first))
    yield [texts.key(row), readCommand(row)];
}

function readCommand(row: Row): AcceptedCommand {
  return { submissionId: readSubmissionId(row), recordTime: row["record_time"] as Time };
}
