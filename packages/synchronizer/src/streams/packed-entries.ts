/**
 * Kept entries, packed together with a dictionary of earlier ones (decision 0083). Rows of earlier releases are compressed by
 * themselves, and are read as they are.
 *
 * The text has a line for each entry: its sequence, a space and its JSON, in which there is no line break.
 */
import type { DatabaseSync } from "node:sqlite";
import { RecentResults } from "@callsign/ledger";
import {
  decompressText,
  isCompressedText,
  type NumberedDictionary,
  PackedTextDamaged,
  type TextDictionaries,
} from "@callsign/node";
import { openCheckedDictionaries } from "../replica/checked-dictionaries.ts";
import { type CheckSums, ReplicaDamaged } from "../replica/checked-rows.ts";
import type { CheckedTable } from "../replica/row-check.ts";
import type { MadeEntry } from "./made-entry.ts";
import type { StreamEntry } from "./stream-entry.ts";

export const STREAM_DICTIONARIES = {
  table: "stream_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;

/** The JSON of a `StreamEntry` with the sequence of its log entry. */
export interface KeptEntry {
  readonly sequence: number | bigint;
  readonly text: string;
}

export function joinEntries(entries: readonly KeptEntry[]): string {
  return entries.map(({ sequence, text }) => `${sequence} ${text}`).join("\n");
}

interface Packed {
  readonly entries: readonly MadeEntry[];
  readonly chosen: NumberedDictionary;
  readonly bytes: Uint8Array;
}

/** By the last of the entries: replicas of one process are given the same pages. */
const packs = new RecentResults<MadeEntry, Packed>();

export class PackedEntries {
  readonly #dictionaries: TextDictionaries;

  constructor(database: DatabaseSync, sums: CheckSums | null = null) {
    this.#dictionaries = openCheckedDictionaries(database, STREAM_DICTIONARIES, sums);
  }

  /** The entries of a row, at least one. Replicas of one process that have the same dictionary pack them once. */
  pack(entries: readonly MadeEntry[]): Uint8Array {
    const last = entries.at(-1) as MadeEntry;
    const chosen = this.#choose(entries);
    const known = packs.find(last);
    if (known !== undefined && isSamePack(known, entries, chosen)) return known.bytes;
    const bytes = this.#dictionaries.packWith(chosen, joinEntries(entries));
    packs.remember(last, { entries, chosen, bytes });
    return bytes;
  }

  /** Every entry is a sample by itself: rows have any number of them. */
  #choose(entries: readonly MadeEntry[]): NumberedDictionary {
    const chosen = entries.map(({ kind, text }) => this.#dictionaries.choose(kind, text));
    return chosen.at(-1) as NumberedDictionary;
  }

  /** `last` is the sequence of the last entry. Throws a `ReplicaDamaged` if the bytes have changed. */
  unpack(packed: Uint8Array, last: bigint): UnpackedEntries {
    try {
      return new UnpackedEntries(this.#unpackText(packed), last);
    } catch (error) {
      if (!(error instanceof PackedTextDamaged)) throw error;
      throw new ReplicaDamaged(`the entries up to ${last} of the streams: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** No dictionary has a number as high as the first bytes of a compressed text would name. */
  #unpackText(packed: Uint8Array): string {
    if (!isCompressedText(packed)) return this.#dictionaries.unpack(packed);
    try {
      return decompressText(packed);
    } catch (error) {
      throw new PackedTextDamaged("a compressed text cannot be read", { cause: error });
    }
  }

  /** Call after a rollback. */
  reload(): void {
    this.#dictionaries.reload();
  }
}

function isSamePack(known: Packed, entries: readonly MadeEntry[], chosen: NumberedDictionary): boolean {
  const { id, dictionary } = known.chosen;
  return (
    id === chosen.id &&
    dictionary === chosen.dictionary &&
    known.entries.length === entries.length &&
    known.entries.every((entry, i) => entry === entries[i])
  );
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
    const before = `${sequence} `;
    const found = this.text.indexOf(`\n${before}`);
    if (found < 0 && !this.text.startsWith(before)) return undefined;
    const begin = found + 1 + before.length;
    const end = this.text.indexOf("\n", begin);
    return JSON.parse(this.text.slice(begin, end < 0 ? undefined : end)) as StreamEntry;
  }
}
