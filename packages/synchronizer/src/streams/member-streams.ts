/**
 * Streams of members: every transaction projected onto the parties that the member hosts, with the member's own
 * completions. Offsets are dense, 1, 2, 3…, and every item carries a digest chained to the one before, so that a
 * participant can compare the streams of several SVs. SVs read the log itself and have no stream. Old items are pruned.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Hash, Outcome, Time } from "@callsign/ledger";
import { inTransaction, migrateDatabase } from "@callsign/node";
import { MAX_STREAM_PAGE_BYTES, PRUNED_AT_ONCE } from "../limits/limits.ts";
import type { HistoryTable, ReplicaChange, ReplicaConsumer } from "../replica/consumer.ts";
import { rowCheck } from "../replica/row-check.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";
import { chainStreamDigest, listSeenNodes, type Rehosting, streamItemOf } from "./stream-item.ts";

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

/** The last items of all streams. */
const ENDS = `(
  select i.member, i.offset, i.digest, i.body from member m join stream_item i on i.member = m.id
  where i.offset = (select offset from stream_item where member = m.id order by offset desc limit 1)
  union all
  select s.member, s.offset, s.digest, s.body from stream_start s
  where not exists (select 1 from stream_item where member = s.member))`;

/** A stream that begins where it ended has all that members can still ask for. */
const HISTORY_TABLES: readonly HistoryTable[] = [
  { table: "stream_start", columns: ["member", "offset", "digest", "body"], order: ["member"], source: ENDS },
  { table: "stream_hosting", columns: ["party", "member"], order: ["party", "member"] },
];

/** Items are asked for that were pruned. */
export class StreamPruned extends Error {
  override readonly name = "StreamPruned";

  /** `first` is the first item that is kept. */
  constructor({ after, first }: { readonly after: number; readonly first: number }) {
    super(`item ${after + 1} of the stream was pruned, and item ${first} is the first that is kept`);
  }
}

export interface StreamEnd {
  readonly offset: number;
  readonly digest: string;
}

export interface StreamRow extends StreamEnd {
  readonly body: string;
  readonly cause: string | null;
}

/** An item as it is delivered: without its body where digests alone were asked for. */
export interface DeliveredRow extends Omit<StreamRow, "body"> {
  readonly body: string | null;
}

export const STREAM_BEGIN: StreamEnd = { offset: 0, digest: "0".repeat(64) };

export class MemberStreams implements ReplicaConsumer {
  readonly name = "member-streams";
  readonly kinds = [];
  readonly historyTables = HISTORY_TABLES;
  readonly #hash: Hash;
  readonly #database: DatabaseSync;
  readonly #start: StatementSync;
  readonly #oldest: StatementSync;
  readonly #insert: StatementSync;
  readonly #last: StatementSync;
  readonly #page: StatementSync;
  readonly #digests: StatementSync;
  readonly #hosts: StatementSync;
  readonly #removeHosts: StatementSync;
  readonly #addHost: StatementSync;
  readonly #ends = new Map<string, StreamEnd>();

  constructor(database: DatabaseSync, hash: Hash) {
    this.#hash = hash;
    this.#database = database;
    const migrations = [SCHEMA, ITEMS_BY_ROW, CAUSE_CHECK, STARTS];
    migrateDatabase(database, { store: "member-streams", migrations });
    this.#start = database.prepare("select offset, digest, body, cause from stream_start where member = ?");
    this.#oldest = database.prepare(
      "select rowid as row, member, offset, digest, body, cause, body ->> 'recordTime' as record_time " +
        "from stream_item order by rowid limit +?",
    );
    this.#insert = database.prepare("insert into stream_item values (?, ?, ?, ?, ?, ?)");
    this.#last = database.prepare(
      "select offset, digest from stream_item where member = ? order by offset desc limit 1",
    );
    this.#page = database.prepare(
      "select offset, digest, body, cause from stream_item where member = ? and offset > ? order by offset limit +?",
    );
    this.#digests = database.prepare(
      "select offset, digest, null as body, cause from stream_item where member = ? and offset > ? order by offset limit +?",
    );
    this.#hosts = database.prepare("select member from stream_hosting where party = ?");
    this.#removeHosts = database.prepare("delete from stream_hosting where party = ?");
    this.#addHost = database.prepare("insert into stream_hosting (party, member) values (?, ?)");
  }

  absorb({ outcome }: ReplicaChange, state: SqliteState): void {
    if (outcome === null) return;
    const rehosted = this.#rehost(outcome);
    const seen = listSeenNodes(outcome, state);
    for (const member of listConcerned(outcome, seen.keys(), rehosted)) {
      if (state.network?.svs.includes(member)) continue;
      const item = streamItemOf({ outcome, rehosted, member, seen: seen.get(member) });
      if (item === null) continue;
      const previous = this.end(member);
      const offset = previous.offset + 1;
      const digest = chainStreamDigest(this.#hash, previous.digest, offset, item.body);
      const { body, cause } = item;
      this.#insert.run(member, offset, digest, body, cause, cause === null ? null : rowCheck(cause));
      this.#ends.set(member, { offset, digest });
    }
  }

  /** Changes of hosting, with the former hosts: the state no longer knows them. */
  #rehost({ changes }: Outcome): readonly Rehosting[] {
    return changes.flatMap((change) => {
      if (change.kind !== "hosting") return [];
      const { party, hosts } = change.hosting;
      const former = this.#hosts.all(party).map((row) => row["member"] as string);
      this.#removeHosts.run(party);
      for (const host of hosts) this.#addHost.run(party, host);
      return [{ party, hosts, former }];
    });
  }

  /** After a rolled-back transaction the ends in memory may be ahead of the rows. */
  reload(): void {
    this.#ends.clear();
  }

  end(member: string): StreamEnd {
    const known = this.#ends.get(member);
    if (known !== undefined) return known;
    return readEnd(this.#last.get(member)) ?? this.start(member);
  }

  /** The last item that was pruned: the first that is kept, apart from the others. */
  start(member: string): StreamEnd {
    return readEnd(this.#start.get(member)) ?? STREAM_BEGIN;
  }

  /** Removes items from before a record time, the oldest of them at a time. False once there are none. */
  prune(before: Time, limit = PRUNED_AT_ONCE): boolean {
    const rows = this.#oldest.all(limit);
    const kept = rows.findIndex((row) => BigInt(row["record_time"] as string) >= before);
    const old = kept < 0 ? rows : rows.slice(0, kept);
    const last = old.at(-1);
    if (last === undefined) return false;
    const save = this.#database.prepare("insert or replace into stream_start values (?, ?, ?, ?, ?)");
    inTransaction(this.#database, () => {
      const ends = new Map(old.map((row) => [row["member"] as string, readItem(row)]));
      for (const [member, { offset, digest, body, cause }] of ends)
        save.run(member, offset, digest, body, cause);
      this.#database.prepare("delete from stream_item where rowid <= ?").run(last["row"] as bigint);
    });
    return old.length === limit;
  }

  /** The item kept apart, if it is the next one. Throws if that was pruned. */
  #findStart(member: string, after: number): StreamRow | null {
    const row = this.#start.get(member);
    if (row === undefined || after >= Number(row["offset"])) return null;
    const first = readItem(row);
    if (after === first.offset - 1) return first;
    throw new StreamPruned({ after, first: first.offset });
  }

  /** Items after an offset, within both limits, but at least one. Throws a `StreamPruned`. */
  page(member: string, after: number, limit: number, maxBytes = MAX_STREAM_PAGE_BYTES): readonly StreamRow[] {
    const first = this.#findStart(member, after);
    const rows: StreamRow[] = first === null ? [] : [first];
    let bytes = 0;
    // Row by row: items that do not fit are not read.
    for (const row of this.#page.iterate(member, after, limit - rows.length)) {
      const item = readItem(row);
      bytes += Buffer.byteLength(item.body) + Buffer.byteLength(item.cause ?? "");
      if (rows.length > 0 && bytes > maxBytes) break;
      rows.push(item);
    }
    return rows;
  }

  /** The digest of one item; null if it is not in the stream, or was pruned. */
  findDigest(member: string, offset: number): string | null {
    const known = [STREAM_BEGIN, this.end(member)].find((each) => each.offset === offset);
    if (known !== undefined) return known.digest;
    const row = this.#digests.get(member, offset - 1, 1) ?? this.#start.get(member);
    const item = readEnd(row);
    return item?.offset === offset ? item.digest : null;
  }

  /** The digests of items after an offset, with the words of errors. Throws a `StreamPruned`. */
  digestPage(member: string, after: number, limit: number): readonly DeliveredRow[] {
    const first = this.#findStart(member, after);
    const rows: DeliveredRow[] = first === null ? [] : [{ ...first, body: null }];
    for (const row of this.#digests.all(member, after, limit - rows.length)) rows.push(readItem(row));
    return rows;
  }
}

function readEnd(row: Record<string, SQLOutputValue> | undefined): StreamEnd | null {
  return row === undefined ? null : { offset: Number(row["offset"]), digest: row["digest"] as string };
}

function readItem(row: Record<string, SQLOutputValue>): StreamRow {
  return {
    offset: Number(row["offset"]),
    digest: row["digest"] as string,
    body: row["body"] as string,
    cause: row["cause"] as string | null,
  };
}

function listConcerned(
  { completion }: Outcome,
  hosts: Iterable<string>,
  rehosted: readonly Rehosting[],
): ReadonlySet<string> {
  const members = new Set<string>();
  if (completion !== null) members.add(completion.member);
  for (const host of hosts) members.add(host);
  for (const { hosts: present, former } of rehosted)
    for (const host of [...present, ...former]) members.add(host);
  return members;
}
