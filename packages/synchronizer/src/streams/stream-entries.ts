/** The kept entries, each of which some items name. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { rememberLast } from "@callsign/node";
import type { MadeEntry } from "./made-entry.ts";
import { unpackEntry } from "./packed-entry.ts";
import { EntryProjection } from "./stream-item.ts";

export class StreamEntries {
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #remove: StatementSync;
  /** The next item may be of the same entry. */
  readonly #readLast = rememberLast((sequence: bigint) => this.#read(sequence));

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("insert into stream_entry values (?, ?, ?)");
    this.#find = database.prepare("select record_time, packed from stream_entry where sequence = ?");
    this.#remove = database.prepare(
      "delete from stream_entry where sequence < coalesce((select entry from stream_item order by rowid limit 1), ?)",
    );
  }

  add(sequence: number, { recordTime, packed }: Pick<MadeEntry, "recordTime" | "packed">): void {
    this.#insert.run(sequence, recordTime, packed);
  }

  /** The body of a member's item. Throws if the entry is not there, or not as it was written. */
  bodyOf(sequence: bigint, member: string): string {
    return this.#readLast(sequence).bodyFor(member);
  }

  #read(sequence: bigint): EntryProjection {
    const row = this.#find.get(sequence);
    if (row === undefined) throw new Error(`the entry ${sequence} of the streams is missing`);
    const entry = unpackEntry(row["packed"] as Uint8Array);
    if (BigInt(entry.recordTime) !== row["record_time"])
      throw new Error(`the entry ${sequence} of the streams has another record time`);
    return new EntryProjection(entry);
  }

  /** Removes entries of which no items are left, up to one. */
  removeUnused(last: bigint): void {
    this.#remove.run(last + 1n);
  }
}
