/**
 * Kept entries, compressed together: they name the same parties and contracts many times. An entry alone takes a fifth of the
 * bytes, and several of them less than a tenth.
 *
 * The text has a line for each entry: its sequence, a space and its JSON, in which there is no line break.
 */
import { compressText, decompressText } from "@callsign/node";
import type { StreamEntry } from "./stream-entry.ts";

/** The JSON of a `StreamEntry` with the sequence of its log entry. */
export interface KeptEntry {
  readonly sequence: number | bigint;
  readonly text: string;
}

export function packEntries(entries: readonly KeptEntry[]): Uint8Array {
  return compressText(entries.map(({ sequence, text }) => `${sequence} ${text}`).join("\n"));
}

/** Entries that were packed together. */
export class UnpackedEntries {
  /** A line for each of them. */
  readonly text: string;

  /** Throws if the bytes are not those that were packed. `last` is the sequence of the last entry. */
  constructor(packed: Uint8Array, last: bigint) {
    const text = decompressText(packed);
    // Earlier releases packed each entry alone, without its sequence.
    this.text = text.startsWith("{") ? `${last} ${text}` : text;
  }

  find(sequence: bigint): StreamEntry | undefined {
    const before = `${sequence} `;
    const found = this.text.indexOf(`\n${before}`);
    if (found < 0 && !this.text.startsWith(before)) return undefined;
    const begin = found + 1 + before.length;
    const end = this.text.indexOf("\n", begin);
    return JSON.parse(this.text.slice(begin, end < 0 ? undefined : end)) as StreamEntry;
  }
}
