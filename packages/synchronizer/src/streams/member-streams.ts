/**
 * Streams of members: every transaction projected onto the parties that the member hosts, with the member's own
 * completions. Offsets are dense, 1, 2, 3…, and every item carries a digest chained to the one before, so that a
 * participant can compare the streams of several SVs. SVs read the log itself and have no stream.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Hash, Outcome } from "@callsign/ledger";
import { migrateDatabase } from "@callsign/node";
import { MAX_STREAM_PAGE_BYTES } from "../limits/limits.ts";
import type { ReplicaChange, ReplicaConsumer } from "../replica/consumer.ts";
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

export interface StreamEnd {
  readonly offset: number;
  readonly digest: string;
}

export interface StreamRow extends StreamEnd {
  readonly body: string;
  readonly cause: string | null;
}

export const STREAM_BEGIN: StreamEnd = { offset: 0, digest: "0".repeat(64) };

export class MemberStreams implements ReplicaConsumer {
  readonly name = "member-streams";
  readonly kinds = [];
  readonly #hash: Hash;
  readonly #insert: StatementSync;
  readonly #last: StatementSync;
  readonly #page: StatementSync;
  readonly #hosts: StatementSync;
  readonly #removeHosts: StatementSync;
  readonly #addHost: StatementSync;
  readonly #ends = new Map<string, StreamEnd>();

  constructor(database: DatabaseSync, hash: Hash) {
    this.#hash = hash;
    migrateDatabase(database, { store: "member-streams", migrations: [SCHEMA, ITEMS_BY_ROW, CAUSE_CHECK] });
    this.#insert = database.prepare("insert into stream_item values (?, ?, ?, ?, ?, ?)");
    this.#last = database.prepare(
      "select offset, digest from stream_item where member = ? order by offset desc limit 1",
    );
    this.#page = database.prepare(
      "select offset, digest, body, cause from stream_item where member = ? and offset > ? order by offset limit +?",
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
    const row = this.#last.get(member);
    if (row === undefined) return STREAM_BEGIN;
    return { offset: Number(row["offset"]), digest: row["digest"] as string };
  }

  /** Items after an offset, within both limits, but at least one. */
  page(member: string, after: number, limit: number, maxBytes = MAX_STREAM_PAGE_BYTES): readonly StreamRow[] {
    const rows: StreamRow[] = [];
    let bytes = 0;
    // Row by row: items that do not fit are not read.
    for (const row of this.#page.iterate(member, after, limit)) {
      const item = readItem(row);
      bytes += Buffer.byteLength(item.body) + Buffer.byteLength(item.cause ?? "");
      if (rows.length > 0 && bytes > maxBytes) break;
      rows.push(item);
    }
    return rows;
  }
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
