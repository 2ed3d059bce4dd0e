/**
 * Streams of members: every transaction projected onto the parties that the member hosts, with the member's own
 * completions. Offsets are dense, 1, 2, 3…, and every item carries a digest chained to the one before, so that a
 * participant can compare the streams of several SVs. SVs read the log itself and have no stream. Old items are pruned.
 * An entry is kept once for all members, and an item's body is made from it when it is asked for (decision 0072).
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Hash, Outcome, Time } from "@callsign/ledger";
import { inTransaction, migrateDatabase } from "@callsign/node";
import { MAX_STREAM_PAGE_BYTES, PRUNED_AT_ONCE } from "../limits/limits.ts";
import type { HistoryTable, ReplicaChange, ReplicaConsumer } from "../replica/consumer.ts";
import { rowCheck } from "../replica/row-check.ts";
import type { SummedDatabase } from "../replica/row-sums.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";
import { makeEntry } from "./made-entry.ts";
import { STREAM_DICTIONARIES } from "./packed-entries.ts";
import { RecentBodies } from "./recent-bodies.ts";
import { LAST_RECORD_TIME, StreamEntries } from "./stream-entries.ts";
import type { Rehosting } from "./stream-entry.ts";
import { streamMigrations } from "./stream-schema.ts";

/** The last items of all streams, with their entries; those that are kept apart have their bodies. */
const ENDS = `
  select m.id as member, i.offset, lower(hex(i.digest)) as digest, i.entry, null as body
  from member m join stream_member n on n.name = m.id join stream_item i on i.member = n.id
  where i.offset = (select offset from stream_item where member = n.id order by offset desc limit 1)
  union all
  select s.member, s.offset, s.digest, null, s.body from stream_start s
  where not exists (
    select 1 from stream_member n join stream_item i on i.member = n.id where n.name = s.member)
  order by 1`;

function* listEnds(database: DatabaseSync): Iterable<readonly (string | bigint)[]> {
  const entries = new StreamEntries(database);
  for (const row of database.prepare(ENDS).iterate()) {
    const { offset, digest, entry, body } = row as Record<string, string | bigint | null>;
    const member = row["member"] as string;
    const text = entry === null ? (body as string) : entries.bodyOf(entry as bigint, member);
    yield [member, offset as bigint, digest as string, text];
  }
}

/** A stream that begins where it ended has all that members can still ask for. */
const HISTORY_TABLES: readonly HistoryTable[] = [
  {
    table: "stream_start",
    columns: ["member", "offset", "digest", "body"],
    order: ["member"],
    list: listEnds,
  },
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

/** The columns of an item. Its body follows from its entry. */
const ITEM = "offset, lower(hex(digest)) as digest, entry, cause";

export class MemberStreams implements ReplicaConsumer {
  readonly name = "member-streams";
  readonly kinds = [];
  readonly absorbsBySlice = true;
  readonly checkedTables = [STREAM_DICTIONARIES];
  readonly historyTables = HISTORY_TABLES;
  readonly #hash: Hash;
  readonly #database: DatabaseSync;
  readonly #entries: StreamEntries;
  readonly #recent = new RecentBodies();
  readonly #start: StatementSync;
  readonly #oldest: StatementSync;
  readonly #insert: StatementSync;
  readonly #last: StatementSync;
  readonly #page: StatementSync;
  readonly #hosts: StatementSync;
  readonly #removeHosts: StatementSync;
  readonly #addHost: StatementSync;
  readonly #findNumber: StatementSync;
  readonly #addMember: StatementSync;
  readonly #ends = new Map<string, StreamEnd>();
  readonly #numbers = new Map<string, bigint>();

  constructor({ database, sums }: SummedDatabase, hash: Hash) {
    this.#hash = hash;
    this.#database = database;
    migrateDatabase(database, streamMigrations);
    this.#entries = new StreamEntries(database, sums);
    this.#start = database.prepare("select offset, digest, body, cause from stream_start where member = ?");
    this.#oldest = database.prepare(
      `select i.rowid as row, n.name as member, offset, lower(hex(digest)) as digest, entry, cause, ${LAST_RECORD_TIME} as last_time ` +
        "from stream_item i join stream_member n on n.id = i.member order by i.rowid limit +?",
    );
    this.#insert = database.prepare("insert into stream_item values (?, ?, ?, unhex(?), ?, ?)");
    this.#last = database.prepare(
      `select ${ITEM} from stream_item where member = ? order by offset desc limit 1`,
    );
    this.#page = database.prepare(
      `select ${ITEM} from stream_item where member = ? and offset > ? order by offset limit +?`,
    );
    this.#hosts = database.prepare("select member from stream_hosting where party = ?");
    this.#removeHosts = database.prepare("delete from stream_hosting where party = ?");
    this.#addHost = database.prepare("insert into stream_hosting (party, member) values (?, ?)");
    this.#findNumber = database.prepare("select id from stream_member where name = ?");
    this.#addMember = database.prepare("insert into stream_member (name) values (?) returning id");
  }

  absorb({ outcome }: ReplicaChange, state: SqliteState): void {
    if (outcome === null) return;
    const entry = makeEntry(outcome, this.#rehost(outcome), state);
    if (entry === null) return;
    const { sequence } = outcome.head;
    this.#entries.add(entry);
    for (const member of entry.members) {
      const { offset, digest, body } = entry.itemFor(member, this.#hash, this.end(member));
      const cause = causeFor(outcome, member);
      const check = cause === null ? null : rowCheck(cause);
      this.#insert.run(this.#needNumber(member), offset, sequence, digest, cause, check);
      this.#ends.set(member, { offset, digest });
      this.#recent.add(member, offset, body);
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

  /** Writes the entries that have waited. */
  save(): void {
    this.#entries.save();
  }

  /** After a rolled-back transaction the memory may be ahead of the rows. */
  reload(): void {
    this.#entries.reload();
    this.#ends.clear();
    this.#numbers.clear();
    this.#recent.clear();
  }

  /** The number by which rows name the member; null if it has no items. */
  #number(member: string): bigint | null {
    const known = this.#numbers.get(member);
    if (known !== undefined) return known;
    const found = this.#findNumber.get(member)?.["id"] as bigint | undefined;
    if (found === undefined) return null;
    this.#numbers.set(member, found);
    return found;
  }

  #needNumber(member: string): bigint {
    return this.#number(member) ?? (this.#addMember.get(member)?.["id"] as bigint);
  }

  end(member: string): StreamEnd {
    const known = this.#ends.get(member);
    if (known !== undefined) return known;
    return readEnd(this.#last.get(this.#number(member))) ?? this.start(member);
  }

  /** The last item that was pruned: the first that is kept, apart from the others. */
  start(member: string): StreamEnd {
    return readEnd(this.#start.get(member)) ?? STREAM_BEGIN;
  }

  /** Removes items from before a record time, the oldest of them at a time. False once there are none. */
  prune(before: Time, limit = PRUNED_AT_ONCE): boolean {
    const rows = this.#oldest.all(limit);
    const kept = rows.findIndex(
      ({ entry, last_time: last }) =>
        (last as bigint) >= before && this.#entries.recordTimeOf(entry as bigint) >= before,
    );
    const old = kept < 0 ? rows : rows.slice(0, kept);
    const last = old.at(-1);
    if (last === undefined) return false;
    const save = this.#database.prepare("insert or replace into stream_start values (?, ?, ?, ?, ?)");
    inTransaction(this.#database, () => {
      const ends = new Map(old.map((row) => [row["member"] as string, row]));
      for (const [member, row] of ends) {
        const { offset, digest, body, cause } = this.#readItem(member, row);
        save.run(member, offset, digest, body, cause);
      }
      this.#database.prepare("delete from stream_item where rowid <= ?").run(last["row"] as bigint);
      this.#entries.removeUnused(last["entry"] as bigint);
    });
    return old.length === limit;
  }

  /** The item kept apart, if it is the next one. Throws if that was pruned. */
  #findStart(member: string, after: number): StreamRow | null {
    const row = this.#start.get(member);
    if (row === undefined || after >= Number(row["offset"])) return null;
    const first = { ...readDigest(row), body: row["body"] as string };
    if (after === first.offset - 1) return first;
    throw new StreamPruned({ after, first: first.offset });
  }

  #readItem(member: string, row: Record<string, SQLOutputValue>): StreamRow {
    const item = readDigest(row);
    const recent = this.#recent.find(member, item.offset);
    return { ...item, body: recent ?? this.#entries.bodyOf(row["entry"] as bigint, member) };
  }

  /** Items after an offset, within both limits, but at least one. Throws a `StreamPruned`. */
  page(member: string, after: number, limit: number, maxBytes = MAX_STREAM_PAGE_BYTES): readonly StreamRow[] {
    const first = this.#findStart(member, after);
    const rows: StreamRow[] = first === null ? [] : [first];
    let bytes = 0;
    // Row by row: items that do not fit are not read.
    for (const row of this.#page.iterate(this.#number(member), after, limit - rows.length)) {
      const item = this.#readItem(member, row);
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
    const row = this.#page.get(this.#number(member), offset - 1, 1) ?? this.#start.get(member);
    const item = readEnd(row);
    return item?.offset === offset ? item.digest : null;
  }

  /** The digests of items after an offset, with the words of errors. Throws a `StreamPruned`. */
  digestPage(member: string, after: number, limit: number): readonly DeliveredRow[] {
    const first = this.#findStart(member, after);
    const rows: DeliveredRow[] = first === null ? [] : [{ ...first, body: null }];
    const found = this.#page.all(this.#number(member), after, limit - rows.length);
    return [...rows, ...found.map((row) => ({ ...readDigest(row), body: null }))];
  }
}

function readEnd(row: Record<string, SQLOutputValue> | undefined): StreamEnd | null {
  return row === undefined ? null : { offset: Number(row["offset"]), digest: row["digest"] as string };
}

function readDigest(row: Record<string, SQLOutputValue>): Omit<StreamRow, "body"> {
  const { offset, digest, cause } = row;
  return { offset: Number(offset), digest: digest as string, cause: cause as string | null };
}

/** The text of the error, for the member whose submission was rejected. */
function causeFor({ completion, verdict }: Outcome, member: string): string | null {
  return verdict.kind === "rejected" && completion?.member === member ? verdict.error.cause : null;
}
