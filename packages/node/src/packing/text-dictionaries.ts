/**
 * The dictionaries that texts of a store are packed with. One is made of the first texts that the store sees, and another one
 * from time to time, since texts change over the years. Every packed text names its own, so none is ever deleted, and no release has
 * to know those of another.
 */
import { crc32 } from "node:zlib";
import { BoundedMap } from "../waiting/bounded-map.ts";
import { compressText, decompressText } from "./compressed-text.ts";
import {
  Dictionary,
  isPackable,
  makeDictionary,
  NO_DICTIONARY,
  packText,
  type SampleText,
  unpackText,
} from "./packed-text.ts";

export interface DictionaryRow {
  /** A JSON array. */
  readonly ids: string;
  readonly body: string;
}

/** Where dictionaries are kept, under numbers from 1 on. */
export interface DictionaryRows {
  readonly find: (id: bigint) => DictionaryRow | undefined;
  /** The highest number; 0 if there is none. */
  readonly findLast: () => bigint;
  readonly insert: (id: bigint, row: DictionaryRow) => void;
}

export interface NumberedDictionary {
  readonly id: bigint;
  readonly dictionary: Dictionary;
}

/** Texts that are seen before the first dictionary, and before the second. From then on each takes twice as many as the last. */
const FIRST_AFTER = 64;
const SECOND_AFTER = 50_000;

/** Longer texts are compressed by themselves. */
const MAX_CHARACTERS = 64_000;
/**
 * The characters of texts that a dictionary is made of. Deflate reads its dictionary for each text anew: one of four times as many saves a
 * twentieth of the bytes, and takes twice the time.
 */
const DICTIONARY_CHARACTERS = 16_000;
/** A longer text would leave too few of the others. */
const MAX_SAMPLE_CHARACTERS = DICTIONARY_CHARACTERS / 3;

const NONE: NumberedDictionary = { id: 0n, dictionary: NO_DICTIONARY };

/** Dictionaries of the SVs in one process, which are made of the same texts, are the same objects. */
const shared = new BoundedMap<string, Dictionary>({ limit: 16 });

const RECENT_TEXTS = 64;
const MAX_RECENT_CHARACTERS = 4000;

/** The number of the dictionary in two bytes, the check of the text in four, then the packed text. */
const HEADER_BYTES = 6;
const CHECK_BEGINS = 2;
/**
 * In the place of a dictionary's number: the text follows as it is, or compressed by itself, as long texts are: that takes a
 * tenth of the time, in which nothing else is done.
 */
const AS_IT_IS = 0xff_ff;
const COMPRESSED = 0xff_fe;

/** Packed bytes have changed, or their dictionary is not there. */
export class PackedTextDamaged extends Error {
  override readonly name = "PackedTextDamaged";
}

export interface PackOptions {
  /** Any text with ids that the reader gives again. */
  readonly known?: string;
  readonly key?: string;
}

interface RecentText {
  readonly packed: Buffer;
  readonly known: string;
  readonly text: string;
}

export class TextDictionaries {
  readonly #rows: DictionaryRows;
  readonly #memory = new Map<bigint, Dictionary>([[NONE.id, NONE.dictionary]]);
  /** The last text of each kind. */
  readonly #samples = new Map<string, SampleText>();
  #sampled = 0;
  #seen = 0;
  /** Texts that were packed last, by their checks: many are read soon, and once. */
  readonly #recent = new BoundedMap<number, RecentText>({ limit: RECENT_TEXTS });
  #current: NumberedDictionary | null = null;

  constructor(rows: DictionaryRows) {
    this.#rows = rows;
  }

  get(id: bigint): Dictionary {
    let dictionary = this.#memory.get(id);
    if (dictionary === undefined) {
      const row = this.#rows.find(id);
      if (row === undefined)
        throw new PackedTextDamaged(`a packed text names dictionary ${id}, which is not there`);
      dictionary = share(JSON.parse(row.ids), row.body);
      this.#memory.set(id, dictionary);
    }
    return dictionary;
  }

  /** The dictionary for a text of a kind, such as the choice it begins with. It may be a new one, which is inserted now. */
  choose(kind: string, text: string, known = ""): NumberedDictionary {
    this.#current ??= this.#findCurrent();
    this.#remember(kind, { text, known });
    this.#seen++;
    if (this.#seen < textsBehind(this.#current.id)) return this.#current;
    this.#seen = 0;
    this.#current = this.#makeNext(this.#current.id + 1n);
    return this.#current;
  }

  /**
   * A text with its dictionary's number, and a check that finds bytes which have changed on disk. It does not hold the known ids: the
   * reader has to give them.
   */
  pack(kind: string, text: string, known = ""): Buffer {
    return this.packWith(this.choose(kind, text, known), text, known);
  }

  /** The same with a dictionary that was chosen before, for a text that is made of several samples. */
  packWith(chosen: NumberedDictionary, text: string, known = ""): Buffer {
    const packed = packWith(chosen, text, known);
    if (text.length <= MAX_RECENT_CHARACTERS) this.#recent.set(checkIn(packed), { packed, known, text });
    return packed;
  }

  /**
   * The same, or null as long as there is no dictionary, and for long texts. What is packed under a key is remembered, for others in
   * this process that pack the same text.
   */
  tryPack(kind: string, text: string, { known = "", key }: PackOptions = {}): Buffer | null {
    if (text.length > MAX_CHARACTERS) return null;
    const chosen = this.choose(kind, text, known);
    if (chosen.id === NONE.id) return null;
    const pack = () => this.packWith(chosen, text, known);
    // Another store may have the same dictionary under another number.
    return key === undefined ? pack() : chosen.dictionary.packed.getOrMake(`${chosen.id} ${key}`, pack);
  }

  /** Throws a `PackedTextDamaged` if the bytes are not those of a packed text. */
  unpack(bytes: Uint8Array, known = ""): string {
    const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (packed.length < HEADER_BYTES) throw new PackedTextDamaged("a packed text is cut off");
    const recent = this.#recent.get(checkIn(packed));
    // All of the bytes count: those that have changed on disk are not found.
    if (recent?.known === known && recent.packed.equals(packed)) return recent.text;
    return this.#unpack(packed, known);
  }

  /** Call after a rollback: the transaction may have inserted a dictionary. */
  reload(): void {
    this.#current = null;
    this.#recent.clear();
    this.#memory.clear();
    this.#memory.set(NONE.id, NONE.dictionary);
  }

  #unpack(packed: Buffer, known: string): string {
    const id = packed.readUInt16BE(0);
    const body = packed.subarray(HEADER_BYTES);
    const text = this.#unpackBody(id, body, known);
    if (crc32(text) !== checkIn(packed))
      throw new PackedTextDamaged("a packed text has another check than its own");
    return text;
  }

  /** Bytes that have changed are no ids, or cannot be decompressed. */
  #unpackBody(id: number, body: Buffer, known: string): string {
    if (id === AS_IT_IS) return body.toString();
    const dictionary = id === COMPRESSED ? null : this.get(BigInt(id));
    try {
      return dictionary === null ? decompressText(body) : unpackText(body, dictionary, known);
    } catch (error) {
      throw new PackedTextDamaged("a packed text cannot be unpacked", { cause: error });
    }
  }

  /** The newest samples, as many as a dictionary takes. */
  #remember(kind: string, sample: SampleText): void {
    this.#forget(kind);
    const { length } = sample.text;
    if (length > MAX_SAMPLE_CHARACTERS) return;
    this.#samples.set(kind, sample);
    this.#sampled += length;
    if (this.#sampled <= DICTIONARY_CHARACTERS) return;
    for (const oldest of this.#samples.keys()) {
      this.#forget(oldest);
      if (this.#sampled <= DICTIONARY_CHARACTERS) return;
    }
  }

  #forget(kind: string): void {
    this.#sampled -= this.#samples.get(kind)?.text.length ?? 0;
    this.#samples.delete(kind);
  }

  #findCurrent(): NumberedDictionary {
    const id = this.#rows.findLast();
    return { id, dictionary: this.get(id) };
  }

  #makeNext(id: bigint): NumberedDictionary {
    const samples = [...this.#samples.values()].filter(({ text }) => isPackable(text));
    const made = makeDictionary(samples.reverse());
    const row = { ids: JSON.stringify(made.ids), body: made.text.toString() };
    this.#rows.insert(id, row);
    const dictionary = share(made.ids, row.body);
    this.#memory.set(id, dictionary);
    return { id, dictionary };
  }
}

function checkIn(packed: Buffer): number {
  return packed.readUInt32BE(CHECK_BEGINS);
}

function packWith(chosen: NumberedDictionary, text: string, known: string): Buffer {
  const { form, body } = formBody(chosen, text, known);
  const packed = Buffer.alloc(HEADER_BYTES + body.length);
  packed.writeUInt16BE(form);
  packed.writeUInt32BE(crc32(text), CHECK_BEGINS);
  body.copy(packed, HEADER_BYTES);
  return packed;
}

function formBody({ id, dictionary }: NumberedDictionary, text: string, known: string) {
  if (text.length > MAX_CHARACTERS) return { form: COMPRESSED, body: compressText(text) };
  if (!isPackable(text) || id >= COMPRESSED) return { form: AS_IT_IS, body: Buffer.from(text) };
  return { form: Number(id), body: packText(text, dictionary, known) };
}

function textsBehind(id: bigint): number {
  return id === NONE.id ? FIRST_AFTER : SECOND_AFTER * 2 ** (Number(id) - 1);
}

function share(ids: readonly string[], body: string): Dictionary {
  return shared.getOrMake(JSON.stringify([ids, body]), () => new Dictionary(ids, body));
}
