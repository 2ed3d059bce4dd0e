/**
 * Texts that follow from entries of the log, packed together: a block has a line for each, its key, a space and its JSON, in which there is
 * no line break. Texts wait in memory until a block is full or the transaction ends.
 */
import { BoundedMap, type NumberedDictionary, type TextDictionaries } from "@callsign/node";
import { PACKED_CHARACTERS, PACKED_ENTRIES } from "../limits/limits.ts";

export interface Line {
  /** Of the log entry. */
  readonly sequence: number;
  /** Names the line in its block. */
  readonly key: number | bigint;
  /** Lines of one kind have similar texts. */
  readonly kind: string;
  readonly text: string;
}

interface Packed {
  readonly lines: readonly Line[];
  readonly chosen: NumberedDictionary;
  readonly bytes: Uint8Array;
}

/** Blocks of all tables that are remembered: each has as many characters as a block. */
const REMEMBERED_BLOCKS = 16;

/** By the last of the lines: replicas of one process are given the same ones. */
const packs = new BoundedMap<Line, Packed>({ limit: REMEMBERED_BLOCKS });

export function joinLines(lines: readonly Pick<Line, "key" | "text">[]): string {
  return lines.map(({ key, text }) => `${key} ${text}`).join("\n");
}

/** The text of a line; undefined if the block does not have it. */
export function findLine(block: string, key: number | bigint): string | undefined {
  const before = `${key} `;
  const found = block.indexOf(`\n${before}`);
  if (found < 0 && !block.startsWith(before)) return undefined;
  const begin = found + 1 + before.length;
  const end = block.indexOf("\n", begin);
  return block.slice(begin, end < 0 ? undefined : end);
}

/** At least one line. Replicas of one process that have the same dictionary pack the same lines once. */
export function packLines(dictionaries: TextDictionaries, lines: readonly Line[]): Uint8Array {
  const last = lines.at(-1) as Line;
  // Every line is a sample by itself: blocks have any number of them.
  const choices = lines.map(({ kind, text }) => dictionaries.choose(kind, text));
  const chosen = choices.at(-1) as NumberedDictionary;
  const known = packs.get(last);
  if (known !== undefined && isSamePack(known, lines, chosen)) return known.bytes;
  const bytes = dictionaries.packWith(chosen, joinLines(lines));
  packs.set(last, { lines, chosen, bytes });
  return bytes;
}

function isSamePack(known: Packed, lines: readonly Line[], chosen: NumberedDictionary): boolean {
  const { id, dictionary } = known.chosen;
  return (
    id === chosen.id &&
    dictionary === chosen.dictionary &&
    known.lines.length === lines.length &&
    known.lines.every((line, i) => line === lines[i])
  );
}

export interface LineBlocksParts<L extends Line> {
  readonly dictionaries: TextDictionaries;
  /** Writes a block, in the caller's transaction. */
  readonly write: (lines: readonly L[], packed: Uint8Array) => void;
}

/** The lines that wait for more of them. */
export class LineBlocks<L extends Line> {
  readonly #parts: LineBlocksParts<L>;
  #waiting: L[] = [];
  #characters = 0;

  constructor(parts: LineBlocksParts<L>) {
    this.#parts = parts;
  }

  /** Keeps a line. Replicas begin new blocks at the same entries, whenever they commit: they share most of them. */
  add(line: L): void {
    const [first] = this.#waiting;
    if (first !== undefined && blockOf(first) !== blockOf(line)) this.save();
    this.#waiting.push(line);
    this.#characters += line.text.length;
    if (this.#characters >= PACKED_CHARACTERS) this.save();
  }

  /** The line that waits under a key. */
  find(key: number | bigint): L | undefined {
    const wanted = BigInt(key);
    return this.#waiting.find((line) => BigInt(line.key) === wanted);
  }

  /** Writes the lines that wait. */
  save(): void {
    if (this.#waiting.length === 0) return;
    const { dictionaries, write } = this.#parts;
    const lines = this.#waiting;
    write(lines, packLines(dictionaries, lines));
    this.#waiting = [];
    this.#characters = 0;
  }

  /** Drops what is in memory, after a transaction that was rolled back. */
  reload(): void {
    this.#waiting = [];
    this.#characters = 0;
    this.#parts.dictionaries.reload();
  }
}

function blockOf({ sequence }: Line): number {
  return Math.floor(sequence / PACKED_ENTRIES);
}
