/**
 * The texts of used ids in few bytes: the number of the key's frame, and the ids as bytes. Texts with a frame that came once, long
 * ones, and those of earlier releases stand as they are. The hash of a key proves that its frame is the one it had. Whoever reads ids with
 * SQL reads the views `used_submission` and `used_command`, which each connection has for itself.
 */
import { hash } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { ReplicaDamaged, type Row } from "./checked-rows.ts";
import { packIds, unpackIds } from "./id-bytes.ts";
import { KeyFrames } from "./key-frames.ts";
import { KEY_HASH } from "./row-check.ts";

/** Stands in a frame in the place of the id. */
const PLACE = "\n";

const HASH_DIGITS = 12;

/** Nobody can choose ids that share a hash in large numbers. */
export function hashKey(key: string): number {
  return Number.parseInt(hash("sha256", key).slice(0, HASH_DIGITS), 16);
}

/** Where the id of a key begins and ends. */
export type FindId = (key: string) => readonly [begin: number, end: number];

/** The texts of a row, its key first, as they are kept. */
export interface KeptTexts {
  readonly texts: readonly string[];
  readonly frame: bigint | null;
  readonly ids: Uint8Array | null;
}

export class UsedIdTexts {
  readonly #frames: KeyFrames;

  constructor(database: DatabaseSync) {
    this.#frames = new KeyFrames(database);
  }

  pack(findId: FindId, [key, ...others]: readonly [string, ...string[]]): KeptTexts {
    const [begin, end] = findId(key);
    const ids = packIds([key.slice(begin, end), ...others]);
    const [before, after] = [key.slice(0, begin), key.slice(end)];
    const hasFrame = ids !== null && !before.includes(PLACE) && !after.includes(PLACE);
    const frame = hasFrame ? this.#frames.number(`${before}${PLACE}${after}`) : null;
    if (frame === null) return { texts: [key, ...others], frame: null, ids: null };
    return { texts: ["", ...others.map(() => "")], frame, ids };
  }

  /** Throws a `ReplicaDamaged` if it is not the key that the row was found by. */
  key({ key, frame, ids, [KEY_HASH]: hashed }: Row): string {
    if (frame === null) return key as string;
    const [id = ""] = unpackIds(ids as Uint8Array);
    // A function, because an id may have the signs of a pattern.
    const text = this.#frames.text(BigInt(frame as bigint)).replace(PLACE, () => id);
    if (hashKey(text) !== Number(hashed))
      throw new ReplicaDamaged(`the key ${text} has another hash than its own`);
    return text;
  }

  /** Call after a rollback. */
  reload(): void {
    this.#frames.reload();
  }
}

/** The id behind that of the key. */
export function readSubmissionId({ submission_id: text, ids }: Row): string {
  return ids === null ? (text as string) : (unpackIds(ids as Uint8Array)[1] ?? "");
}

/** The SQL of a key. */
export const USED_KEY = `used_key(key, frame, ids, ${KEY_HASH})`;

const VIEWS = `
  create temp view if not exists used_submission as select ${USED_KEY} as key, until from submission;
  create temp view if not exists used_command as
    select ${USED_KEY} as key, used_submission_id(submission_id, ids) as submission_id, record_time from command;
`;

/** Gives the connection the views, and the functions that they need. */
export function viewUsedIds(database: DatabaseSync, texts: UsedIdTexts = new UsedIdTexts(database)): void {
  const options = { deterministic: true };
  database.function("used_key", options, (key, frame, ids, hashed) =>
    texts.key({ key, frame, ids, [KEY_HASH]: hashed } as Row),
  );
  database.function("used_submission_id", options, (text, ids) =>
    readSubmissionId({ submission_id: text, ids } as Row),
  );
  database.exec(VIEWS);
}

/** A function that throws a `ReplicaDamaged` if the frame of a row is gone or is another. The connection has the views. */
export function keyProver(database: DatabaseSync): (row: Row) => void {
  const read = database.prepare("select used_key(?, ?, ?, ?)");
  return (row) => {
    read.get(...["key", "frame", "ids", KEY_HASH].map((column) => row[column] as SQLInputValue));
  };
}
