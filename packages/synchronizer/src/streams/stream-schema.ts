/** The tables of the streams, and the way of the items of earlier releases into them. */
import type { DatabaseSync } from "node:sqlite";
import type { StreamItem } from "@callsign/api";
import { compressText, type StoreMigrations } from "@callsign/node";
import { joinLines } from "../replica/line-blocks.ts";
import type { StreamEntry } from "./stream-entry.ts";
import { EntryProjection } from "./stream-item.ts";

const SCHEMA = `
  create table if not exists stream_item (
    member text not null,
    offset integer not null,
    digest text not null,
    body text not null,
    cause text,
    primary key (member, offset)
  ) strict, without rowid;
  create table if not exists stream_hosting (
    party text not null,
    member text not null,
    primary key (party, member)
  ) strict, without rowid;
`;

/** Items are long and only ever appended: a table with row ids takes half the time and less space. */
const ITEMS_BY_ROW = `
  alter table stream_item rename to stream_item_by_offset;
  create table stream_item (
    member text not null,
    offset integer not null,
    digest text not null,
    body text not null,
    cause text
  ) strict;
  insert into stream_item select member, offset, digest, body, cause from stream_item_by_offset;
  drop table stream_item_by_offset;
  create unique index stream_item_offset on stream_item (member, offset);
`;

/** The text of an error is in no digest. It has a check of its own, except in rows from before. */
const CAUSE_CHECK = "alter table stream_item add column cause_check integer";

/**
 * The last item of each stream that was pruned, kept apart: a member that has it compares it and goes on behind it. A member
 * whose stream has been quiet for longer than the retention needs it.
 */
const STARTS = `
  create table stream_start (
    member text primary key,
    offset integer not null,
    digest text not null,
    body text not null,
    cause text
  ) strict, without rowid
`;

/**
 * Entries are kept once, and items name their entry. Items and entries are in the order of the log. Entries are packed
 * texts of a \`StreamEntry\`.
 */
const ENTRIES = `
  alter table stream_item rename to stream_item_with_body;
  drop index stream_item_offset;
  create table stream_entry (sequence integer primary key, record_time integer not null, packed blob not null) strict;
  create table stream_member (id integer primary key, name text not null unique) strict;
  create table stream_item (
    member integer not null,
    offset integer not null,
    entry integer not null,
    digest blob not null,
    cause text,
    cause_check integer
  ) strict;
  create unique index stream_item_offset on stream_item (member, offset);
`;

/** An item of an earlier release becomes an entry of its own, before the first entry of the log. */
function keepEntries(database: DatabaseSync): void {
  database.exec(ENTRIES);
  const last = database.prepare("select coalesce(max(rowid), 0) as row from stream_item_with_body");
  const rows = database.prepare(
    "select rowid as row, member, offset, digest, body, cause, cause_check from stream_item_with_body order by rowid",
  );
  const addMember = database.prepare("insert into stream_member (name) values (?) on conflict do nothing");
  const addEntry = database.prepare("insert into stream_entry values (?, ?, ?)");
  const addItem = database.prepare(
    "insert into stream_item values ((select id from stream_member where name = ?), ?, ?, unhex(?), ?, ?)",
  );
  const first = -1n - (last.get()?.["row"] as bigint);
  for (const row of rows.iterate()) {
    const [member, body] = [row["member"] as string, row["body"] as string];
    const entry = entryOfItem(member, JSON.parse(body) as StreamItem);
    if (new EntryProjection(entry).bodyFor(member) !== body)
      throw new Error(`item ${row["offset"]} of the stream of ${member} cannot be read`);
    const sequence = first + (row["row"] as bigint);
    const { offset = null, digest = null, cause = null, cause_check: check = null } = row;
    addMember.run(member);
    const packed = compressText(joinLines([{ key: sequence, text: JSON.stringify(entry) }]));
    addEntry.run(sequence, BigInt(entry.recordTime), packed);
    addItem.run(member, offset, sequence, digest, cause, check);
  }
  database.exec("drop table stream_item_with_body");
}

/** The entry as far as this member has seen it. */
function entryOfItem(member: string, { recordTime, completion, update, hostings }: StreamItem): StreamEntry {
  const parties = new Set(update?.events.flatMap(({ witnesses }) => witnesses));
  return {
    recordTime,
    completion: completion === null ? null : { member, ...completion },
    update,
    hosts: [...parties].map((party) => [party, [member]]),
    rehosted: hostings.map(({ party, hosted }) => ({
      party,
      hosts: hosted ? [member] : [],
      former: hosted ? [] : [member],
    })),
  };
}

/** Several entries may share a row from now on: an earlier release cannot read it. */
const SHARED_ROWS = "";

/** Rows are packed with them from now on. */
const DICTIONARIES = `
  create table stream_dictionary (
    id integer primary key,
    ids text not null,
    body text not null,
    row_check integer not null
  ) strict;
`;

export const streamMigrations: StoreMigrations<DatabaseSync> = {
  store: "member-streams",
  migrations: [SCHEMA, ITEMS_BY_ROW, CAUSE_CHECK, STARTS, keepEntries, SHARED_ROWS, DICTIONARIES],
};
