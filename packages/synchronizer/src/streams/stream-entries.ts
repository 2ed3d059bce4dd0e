/**
 * The kept entries, each of which some items name. Entries that come after one another share a row, up to a length, under the sequence
 * and the record time of the last of them.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { rememberLast, type TextDictionaries } from "@callsign/node";
import { openCheckedDictionaries } from "../replica/checked-dictionaries.ts";
import type { CheckSums } from "../replica/checked-rows.ts";
import { LineBlocks } from "../replica/line-blocks.ts";
import type { MadeEntry } from "./made-entry.ts";
import { STREAM_DICTIONARIES, type UnpackedEntries, unpackEntries } from "./packed-entries.ts";
import type { StreamEntry } from "./stream-entry.ts";
import { EntryProjection } from "./stream-item.ts";

/** The record time of the row that has an entry, and so of the last entry in it, in a query for `i.entry`. */
export const LAST_RECORD_TIME =
  "(select e.record_time from stream_entry e where e.sequence >= i.entry order by e.sequence limit 1)";

export class StreamEntries {
  readonly #dictionaries: TextDictionaries;
  readonly #blocks: LineBlocks<MadeEntry>;
  readonly #find: StatementSync;
  readonly #remove: StatementSync;
  /** The entries of the row that was read last: the next item may be of one of them. */
  #unpacked: UnpackedEntries | null = null;
  readonly #readLast = rememberLast((sequence: bigint) => this.#read(sequence));

  constructor(database: DatabaseSync, sums: CheckSums | null = null) {
    this.#dictionaries = openCheckedDictionaries(database, STREAM_DICTIONARIES, sums);
    const insert = database.prepare("insert into stream_entry values (?, ?, ?)");
    this.#blocks = new LineBlocks({
      dictionaries: this.#dictionaries,
      write: (entries, packed) => {
        const { sequence, recordTime } = entries.at(-1) as MadeEntry;
        insert.run(sequence, recordTime, packed);
      },
    });
    this.#find = database.prepare(
      "select sequence, record_time, packed from stream_entry where sequence >= ? order by sequence limit 1",
    );
    this.#remove = database.prepare(
      "delete from stream_entry where sequence < coalesce((select entry from stream_item order by rowid limit 1), ?)",
    );
  }

  add(entry: MadeEntry): void {
    this.#blocks.add(entry);
  }

  /** Writes the entries that wait, in the caller's transaction. */
  save(): void {
    this.#blocks.save();
  }

  /** Drops what is in memory, after a transaction that was rolled back. */
  reload(): void {
    this.#blocks.reload();
    this.#unpacked = null;
  }

  /** The body of a member's item. Throws if the entry is not there, or not as it was written. */
  bodyOf(sequence: bigint, member: string): string {
    return this.#readLast(sequence).bodyFor(member);
  }

  recordTimeOf(sequence: bigint): bigint {
    return BigInt(this.#get(sequence).recordTime);
  }

  #read(sequence: bigint): EntryProjection {
    return new EntryProjection(this.#get(sequence));
  }

  #get(sequence: bigint): StreamEntry {
    const waiting = this.#blocks.find(sequence);
    if (waiting !== undefined) return JSON.parse(waiting.text) as StreamEntry;
    const entry = this.#unpacked?.find(sequence) ?? this.#unpack(sequence).find(sequence);
    if (entry === undefined) throw isMissing(sequence);
    return entry;
  }

  #unpack(sequence: bigint): UnpackedEntries {
    const row = this.#find.get(sequence);
    if (row === undefined) throw isMissing(sequence);
    const last = row["sequence"] as bigint;
    const unpacked = unpackEntries(this.#dictionaries, row["packed"] as Uint8Array, last);
    if (BigInt(unpacked.find(last)?.recordTime ?? -1) !== row["record_time"])
      throw new Error(`the entry ${last} of the streams has another record time`);
    this.#unpacked = unpacked;
    return unpacked;
  }

  /** Removes entries of which no items are left, up to one. */
  removeUnused(last: bigint): void {
    this.#remove.run(last + 1n);
  }
}

function isMissing(sequence: bigint): Error {
  return new Error(`the entry ${sequence} of the streams is missing`);
}
