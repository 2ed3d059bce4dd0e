/**
 * Texts that follow from entries of the log, packed together: a block has a line for each, its key, a space and its JSON, in which there is
 * no line break. Texts wait in memory, where readers find them, until a block is full or the transaction ends.
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

/** Blocks of all tables that are remembered, with their lines, and the length up to which one is. */
const REMEMBERED_BLOCKS = 16;
const REMEMBERED_CHARACTERS = 2 * PACKED_CHARACTERS;

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
  const text = joinLines(lines);
  const bytes = dictionaries.packWith(chosen, text);
  if (text.length <= REMEMBERED_CHARACTERS) packs.set(last, { lines, chosen, bytes });
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
  /** The run of log entries that the last line is in, and the characters of its lines. */
  #run = -1;
  #characters = 0;

  constructor(parts: LineBlocksParts<L>) {
    this.#parts = parts;
  }

  /** In the order of the log. */
  get waiting(): readonly L[] {
    return this.#waiting;
  }

  /**
   * Keeps a line. Where blocks end follows from the log, but for those that a commit cuts: replicas of one process commit at
   * different entries, and share the blocks between.
   */
  add(line: L): void {
    const run = runOf(line);
    if (run !== this.#run) {
      this.save();
      [this.#run, this.#characters] = [run, 0];
    }
    this.#waiting.push(line);
    const before = Math.floor(this.#characters / PACKED_CHARACTERS);
    this.#characters += line.text.length;
    if (Math.floor(this.#characters / PACKED_CHARACTERS) > before) this.save();
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
    write(this.#waiting, packLines(dictionaries, this.#waiting));
    this.#waiting = [];
  }

  /** Drops what is in memory, after a transaction that was rolled back. */
  reload(): void {
    this.#waiting = [];
    this.#run = -1;
    this.#parts.dictionaries.reload();
  }
}

function runOf({ sequence }: Line): number {
  return Math.floor(sequence / PACKED_ENTRIES);
}
