/** The kept entries of a replica's streams, however they share rows. */
import type { DatabaseSync } from "node:sqlite";
import { openCheckedDictionaries } from "../../packages/synchronizer/src/replica/checked-dictionaries.ts";
import {
  STREAM_DICTIONARIES,
  unpackEntries,
} from "../../packages/synchronizer/src/streams/packed-entries.ts";

/** A line for each, in the order of the log. Throws if a row does not stand under its last entry. */
export function listStreamEntries(database: DatabaseSync): readonly string[] {
  const dictionaries = openCheckedDictionaries(database, STREAM_DICTIONARIES);
  const rows = database.prepare("select sequence, record_time, packed from stream_entry order by sequence");
  return rows.all().flatMap((row) => {
    const sequence = row["sequence"] as bigint;
    const entries = unpackEntries(dictionaries, row["packed"] as Uint8Array, sequence);
    if (entries.find(sequence)?.recordTime !== String(row["record_time"]))
      throw new Error(`the row ${sequence} of stream_entry does not end with its entry`);
    return entries.text.split("\n");
  });
}
