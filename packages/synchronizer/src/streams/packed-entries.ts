/**
 * Kept entries, packed together with a dictionary of earlier ones (decision 0083). Rows of earlier releases are compressed by
 * themselves, and are read as they are. A line of a row is the JSON of a `StreamEntry` under the sequence of its log entry.
 */
import { decompressText, isCompressedText, PackedTextDamaged, type TextDictionaries } from "@callsign/node";
import { ReplicaDamaged } from "../replica/checked-rows.ts";
import { findLine } from "../replica/line-blocks.ts";
import type { CheckedTable } from "../replica/row-check.ts";
import type { StreamEntry } from "./stream-entry.ts";

export const STREAM_DICTIONARIES = {
  table: "stream_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;

/** `last` is the sequence of the last entry. Throws a `ReplicaDamaged` if the bytes have changed. */
export function unpackEntries(
  dictionaries: TextDictionaries,
  packed: Uint8Array,
  last: bigint,
): UnpackedEntries {
  try {
    return new UnpackedEntries(unpackText(dictionaries, packed), last);
  } catch (error) {
    if (!(error instanceof PackedTextDamaged)) throw error;
    throw new ReplicaDamaged(`the entries up to ${last} of the streams: ${error.message}`, { cause: error });
  }
}

/** No dictionary has a number as high as the first bytes of a compressed text would name. */
function unpackText(dictionaries: TextDictionaries, packed: Uint8Array): string {
  if (!isCompressedText(packed)) return dictionaries.unpack(packed);
  try {
    return decompressText(packed);
  } catch (error) {
    throw new PackedTextDamaged("a compressed text cannot be read", { cause: error });
  }
}

/** Entries that were packed together. */
export class UnpackedEntries {
  /** A line for each of them. */
  readonly text: string;

  constructor(text: string, last: bigint) {
    // Releases before rows were shared packed each entry alone, without its sequence.
    this.text = text.startsWith("{") ? `${last} ${text}` : text;
  }

  find(sequence: bigint): StreamEntry | undefined {
    const line = findLine(this.text, sequence);
    return line === undefined ? undefined : (JSON.parse(line) as StreamEntry);
  }
}
