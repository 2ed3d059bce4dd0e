/** The kept entries of a replica's streams, however they share rows. */
import type { DatabaseSync } from "node:sqlite";
import { PackedEntries } from "../../packages/synchronizer/src/streams/packed-entries.ts";

/** A line for each, in the order of the log. Throws if a row does not stand under its last entry. */
export function listStreamEntries(database: DatabaseSync): readonly string[] {
  const packed = new PackedEntries(database);
  const rows = database.prepare("select sequence, record_time, packed from stream_entry order by sequence");
  return rows.all().flatMap((row) => {
    const sequence = row["sequence"] as bigint;
    const entries = packed.unpack(row["packed"] as Uint8Array, sequence);
    if (entries.find(sequence)?.recordTime !== String(row["record_time"]))
      throw new Error(`the row ${sequence} of stream_entry does not end with its entry`);
    return entries.text.split("\n");
  });
}
