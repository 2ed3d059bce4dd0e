/** The rows of the log in SQLite: entries, the last one's number and hash, and what trimming leaves. */
import type { DatabaseSync } from "node:sqlite";
import { findDamagedEnd } from "./entry-hashes.ts";
import { EMPTY_HEAD, type LogHead } from "./ordered-log.ts";

const SCHEMA = `
  create table if not exists entry (sequence integer primary key, bytes text not null) strict;
  create table if not exists head (one integer primary key check (one = 1), sequence integer not null, hash text not null) strict;
`;

/** The entry before the first that is kept, once entries were trimmed. */
const START = `
  create table start (one integer primary key check (one = 1), sequence integer not null, hash text not null) strict;
`;

/** The first entry of all, once it was trimmed: it says which network the log is of. */
const FIRST = "create table first (one integer primary key check (one = 1), bytes text not null) strict;";

export const logMigrations = { store: "log", migrations: [SCHEMA, START, FIRST] };

export function prepareStatements(database: DatabaseSync) {
  return {
    insert: database.prepare("insert into entry (sequence, bytes) values (?, ?)"),
    saveHead: database.prepare("insert or replace into head (one, sequence, hash) values (1, ?, ?)"),
    page: database.prepare(
      "select bytes from entry where sequence > ? and sequence <= ? order by sequence limit +?",
    ),
  };
}

export function readLogHead(database: DatabaseSync, table: "head" | "start"): LogHead {
  const row = database.prepare(`select sequence, hash from ${table}`).get();
  if (row === undefined) return EMPTY_HEAD;
  return { sequence: Number(row["sequence"]), entryHash: String(row["hash"]) };
}

/** The reason why the log's end is not what the head says; null if it is. */
export function findLogDamage(database: DatabaseSync, head: LogHead, start: LogHead): string | null {
  const last = database.prepare("select sequence, bytes from entry order by sequence desc limit 1").get();
  if (last !== undefined && Number(last["sequence"]) > head.sequence)
    return `it has an entry ${last["sequence"]}, and its head says ${head.sequence}`;
  if (head.sequence !== start.sequence) {
    const isThere = last !== undefined && Number(last["sequence"]) === head.sequence;
    return findDamagedEnd(isThere ? String(last["bytes"]) : undefined, head);
  }
  return head.entryHash === start.entryHash ? null : "its head and its start have different hashes";
}
