/**
 * Ids that have been used: of submissions and of accepted commands. They are long, each is looked for, and nearly none is there. So
 * rows stand in the order in which they came, and an index of short hashes finds them: a new id changes the last page of the
 * table and one of few pages of the index.
 */

import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { AcceptedCommand, Time } from "@callsign/ledger";
import { CheckedRows, type Row } from "./checked-rows.ts";
import type { RowAccess } from "./keyed-rows.ts";
import {
  type CheckedTable,
  COMMANDS,
  KEY_HASH,
  LONG_COMMANDS,
  LONG_SUBMISSIONS,
  SUBMISSIONS,
} from "./row-check.ts";

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

const HASH_DIGITS = 12;

/** Nobody can choose ids that share a hash in large numbers. */
export function hashKey(key: string): number {
  return Number.parseInt(hash("sha256", key).slice(0, HASH_DIGITS), 16);
}

/** Moves the ids of an earlier release into tables in which hashes find them. */
export function addKeyHashes(database: DatabaseSync): void {
  database.exec(`
    alter table submission rename to long_submission;
    alter table command rename to long_command;
    drop index submission_until;
    drop index command_time;
    ${TABLES}
  `);
  moveRows(database, LONG_SUBMISSIONS, SUBMISSIONS);
  moveRows(database, LONG_COMMANDS, COMMANDS);
}

function moveRows(database: DatabaseSync, { table, columns }: CheckedTable, to: CheckedTable): void {
  const from = `long_${table}`;
  const rows = new CheckedRows(database, to);
  for (const row of new CheckedRows(database, { table: from, columns }).list())
    rows.insert(...columns.map((column) => row[column] as string | bigint), hashKey(row["key"] as string));
  database.exec(`drop table ${from}`);
}

export function submissionAccess(database: DatabaseSync): RowAccess<Time> {
  return usedIds(database, SUBMISSIONS, {
    read: (row) => row["until"] as Time,
    columns: (until) => [until],
  });
}

export function commandAccess(database: DatabaseSync): RowAccess<AcceptedCommand> {
  return usedIds(database, COMMANDS, {
    read: readCommand,
    columns: ({ submissionId, recordTime }) => [submissionId, recordTime],
  });
}

function usedIds<T>(
  database: DatabaseSync,
  table: CheckedTable,
  { read, columns }: { read: (row: Row) => T; columns: (used: T) => readonly (string | bigint)[] },
): RowAccess<T> {
  const rows = new CheckedRows(database, table);
  const remove = rows.deletion(`where ${KEY_HASH} = ? and key = ?`);
  return {
    read: (key) => {
      const row = rows.find(hashKey(key), key);
      return row === undefined ? undefined : read(row);
    },
    // An id that no longer counts may be used again.
    write: (key, used) => {
      const hashed = hashKey(key);
      remove(hashed, key);
      rows.insert(key, ...columns(used), hashed);
    },
    remembered: 0,
  };
}

export function readCommand(row: Row): AcceptedCommand {
  return { submissionId: row["submission_id"] as string, recordTime: row["record_time"] as Time };
}
