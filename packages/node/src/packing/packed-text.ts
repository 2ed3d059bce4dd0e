/**
 * Texts such as updates, contracts or entries in few bytes. Ids and hashes, which no compression makes shorter than half of
 * their hex, are taken out of the text and stand before it as bytes, each once. Ids that the reader knows, such as those of other columns of
 * the row, are left out. The rest is compressed with a dictionary: earlier texts of the same kinds.
 *
 * The packed form: the number of ids in two bytes, for each its length and its bytes, then the compressed text.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { BoundedMap } from "../waiting/bounded-map.ts";

/** Packed texts that are remembered with a dictionary: more than the replicas of a process are apart, which commit at moments of their own. */
const RECENT_PACKED = 1024;

/** Texts like those to come, and ids that they may name. */
export class Dictionary {
  readonly ids: readonly string[];
  readonly text: Buffer;
  readonly places: ReadonlyMap<string, number>;
  /** The last packed texts, by keys of the caller: the SVs of one process pack the same ones. */
  readonly packed: BoundedMap<string, Buffer> = new BoundedMap({ limit: RECENT_PACKED });

  constructor(ids: readonly string[], text: string) {
    this.ids = ids;
    this.text = Buffer.from(text);
    this.places = new Map(ids.map((id, place) => [id, place]));
  }
}

/** A text to make a dictionary of. */
export interface SampleText {
  readonly text: string;
  /** Any text with ids that the reader of the sample knows. */
  readonly known: string;
}

export const NO_DICTIONARY: Dictionary = new Dictionary([], "");

/**
 * An id of a contract is made of a part of its update's id, a number, and a hash; the contracts of one update share the first.
 * Any other id is at least a hash, and has whole bytes. Lengths in bytes fit into one. An id begins where digits begin, or where
 * the id before it ends.
 */
const UPDATE_DIGITS = 58;
const NUMBER_DIGITS = 8;
const HASH_DIGITS = 64;
const BEFORE_UPDATE = "00";
const BEFORE_HASH = "ca101220";
const HASH_BEGINS = UPDATE_DIGITS + NUMBER_DIGITS + BEFORE_HASH.length;
const CONTRACT_DIGITS = HASH_BEGINS + HASH_DIGITS;
const MIN_DIGITS = HASH_DIGITS;
const MAX_DIGITS = 510;

/** By the code of a character: 1 for the digits of ids. */
const DIGITS = new Uint8Array(128);
for (const digit of "0123456789abcdef") DIGITS[digit.charCodeAt(0)] = 1;

/**
 * JSON has no control characters: the first two of these stand before the place of an id, of one or of two
 * characters, the third before the number of a contract.
 */
const [SHORT, LONG, NUMBER] = ["\u0001", "\u0002", "\u0003"];
const FIRST = 35;
const RADIX = 90;
const REFERENCE = new RegExp(`${SHORT}(.)|${LONG}(..)|${NUMBER}([0-9a-z]+);`, "gs");

/** True if a text has none of these characters. JSON has none. */
export function isPackable(text: string): boolean {
  return !text.includes(SHORT) && !text.includes(LONG) && !text.includes(NUMBER);
}

/** Beside a dictionary the sixth level, deflate's own, takes half as much time again, and saves a tenth of the bytes. */
const LEVEL = 3;
/** Deflate allocates memory by these, for each text anew. The texts are short. */
const MEMORY_LEVEL = 5;
const [MIN_WINDOW_BITS, MAX_WINDOW_BITS] = [9, 15];
const MAX_BYTES_OF_A_CHARACTER = 3;
/** Room for the whole of most packed texts, and of most texts without their ids. */
const CHUNK_BYTES = 4096;

/** Ids of a dictionary: most of the places are for the ids of a text. */
const MAX_DICTIONARY_IDS = 1000;

/**
 * The reader has to give the same known ids. The result has memory of its own: bytes cut from Node's pool would keep 64 KiB of it for
 * as long as they are remembered.
 */
export function packText(text: string, dictionary: Dictionary, known = ""): Buffer {
  const { stripped, own } = stripIds({ text, known }, dictionary);
  const compressed = compress(stripped, dictionary.text);
  const idBytes = own.reduce((sum, id) => sum + 1 + id.length / 2, 0);
  const packed = Buffer.alloc(2 + idBytes + compressed.length);
  let at = packed.writeUInt16BE(own.length);
  for (const id of own) {
    at = packed.writeUInt8(id.length / 2, at);
    at += packed.write(id, at, "hex");
  }
  compressed.copy(packed, at);
  return packed;
}

export function unpackText(packed: Buffer, dictionary: Dictionary, known = ""): string {
  const ids = [...dictionary.ids, ...placeKnown(known, dictionary).keys()];
  let at = 2;
  for (let left = packed.readUInt16BE(0); left > 0; left--) {
    const length = packed.readUInt8(at);
    ids.push(packed.toString("hex", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const text = decompress(packed.subarray(at), dictionary.text);
  return text.replace(REFERENCE, (_, short?: string, long?: string, number?: string) => {
    if (number !== undefined)
      return `${Number.parseInt(number, 36).toString(16).padStart(NUMBER_DIGITS, "0")}${BEFORE_HASH}`;
    return ids[placeOf(short ?? long ?? "")] ?? "";
  });
}

/** A dictionary of texts, the last of which count most. */
export function makeDictionary(samples: readonly SampleText[]): Dictionary {
  const counts = new Map<string, number>();
  for (const { text, known } of samples) {
    const given = placeKnown(known, NO_DICTIONARY);
    replaceIds(text, (id) => {
      if (!given.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
      return id;
    });
  }
  const often = [...counts].filter(([, times]) => times > 1).map(([id]) => id);
  const ids = often.slice(0, MAX_DICTIONARY_IDS);
  const withIds = new Dictionary(ids, "");
  return new Dictionary(ids, samples.map((sample) => stripIds(sample, withIds).stripped).join("\n"));
}

/** The text without ids, and those of its ids that neither the dictionary nor the reader has. */
function stripIds({ text, known }: SampleText, { ids, places }: Dictionary) {
  const own = placeKnown(known, { ids, places });
  const knownIds = own.size;
  const stripped = replaceIds(text, (id) => {
    let place = places.get(id) ?? own.get(id);
    if (place === undefined) {
      place = ids.length + own.size;
      if (place >= RADIX * RADIX) return id;
      own.set(id, place);
    }
    return referTo(place);
  });
  return { stripped, own: [...own.keys()].slice(knownIds) };
}

/** Places behind the dictionary's for the known ids that it does not have. */
function placeKnown(known: string, { ids, places }: Pick<Dictionary, "ids" | "places">): Map<string, number> {
  const placed = new Map<string, number>();
  replaceIds(known, (id) => {
    const place = ids.length + placed.size;
    if (place < RADIX * RADIX && !places.has(id) && !placed.has(id)) placed.set(id, place);
    return id;
  });
  return placed;
}

function replaceIds(text: string, replace: (id: string) => string): string {
  let replaced = "";
  let kept = 0;
  for (let begin = findDigits(text, 0); begin < text.length; begin = findDigits(text, begin)) {
    let end = begin + MIN_DIGITS;
    while (end < text.length && DIGITS[text.charCodeAt(end)] === 1) end++;
    replaced += text.slice(kept, begin);
    for (; end - begin >= MIN_DIGITS; begin = kept) {
      const isContract = isContractAt(text, begin, end);
      kept = begin + (isContract ? CONTRACT_DIGITS : Math.min(end - begin - ((end - begin) % 2), MAX_DIGITS));
      replaced += isContract
        ? replaceContract(text.slice(begin, kept), replace)
        : replace(text.slice(begin, kept));
    }
    begin = end;
  }
  return replaced + text.slice(kept);
}

/** Where the next digits begin that are enough for an id; at the end of the text if there are none. */
function findDigits(text: string, from: number): number {
  let begin = from;
  for (let at = begin + MIN_DIGITS - 1; at < text.length; at = begin + MIN_DIGITS - 1) {
    // From the last digit back: most of a text is passed over.
    while (at >= begin && DIGITS[text.charCodeAt(at)] === 1) at--;
    if (at < begin) return begin;
    begin = at + 1;
  }
  return text.length;
}

function isContractAt(text: string, begin: number, end: number): boolean {
  return (
    end - begin >= CONTRACT_DIGITS &&
    text.startsWith(BEFORE_UPDATE, begin) &&
    text.startsWith(BEFORE_HASH, begin + UPDATE_DIGITS + NUMBER_DIGITS)
  );
}

function replaceContract(id: string, replace: (id: string) => string): string {
  const update = replace(id.slice(0, UPDATE_DIGITS));
  const number = Number.parseInt(id.slice(UPDATE_DIGITS, UPDATE_DIGITS + NUMBER_DIGITS), 16);
  return `${update}${NUMBER}${number.toString(36)};${replace(id.slice(HASH_BEGINS))}`;
}

function referTo(place: number): string {
  if (place < RADIX) return SHORT + String.fromCharCode(FIRST + place);
  return LONG + String.fromCharCode(FIRST + Math.floor(place / RADIX), FIRST + (place % RADIX));
}

function placeOf(characters: string): number {
  return [...characters].reduce((place, each) => place * RADIX + each.charCodeAt(0) - FIRST, 0);
}

function compress(text: string, dictionary: Buffer): Buffer {
  const windowBits = windowFor(dictionary.length + MAX_BYTES_OF_A_CHARACTER * text.length);
  return deflateRawSync(text, {
    ...{ level: LEVEL, windowBits, memLevel: MEMORY_LEVEL, chunkSize: CHUNK_BYTES, dictionary },
  });
}

/** The smallest that looks back so many bytes. */
function windowFor(bytes: number): number {
  return Math.min(Math.max(32 - Math.clz32(bytes), MIN_WINDOW_BITS), MAX_WINDOW_BITS);
}

function decompress(packed: Buffer, dictionary: Buffer): string {
  return inflateRawSync(packed, { chunkSize: CHUNK_BYTES, dictionary }).toString();
}
