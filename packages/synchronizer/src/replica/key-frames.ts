/**
 * The keys of used ids differ in one id, and thousands of them share the rest, their frame: user and parties, or member. Rows name it by
 * number. A frame gets its number when it comes again: some never do.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { BoundedMap } from "@callsign/node";
import { REMEMBERED_FRAMES } from "../limits/limits.ts";
import { type CheckedQuery, CheckedRows, ReplicaDamaged } from "./checked-rows.ts";
import { KEY_FRAMES } from "./row-check.ts";

export class KeyFrames {
  readonly #rows: CheckedRows;
  readonly #byText: CheckedQuery;
  readonly #last: StatementSync;
  /** Null for a frame that came once. */
  readonly #numbers = new BoundedMap<string, bigint | null>({ limit: REMEMBERED_FRAMES });
  readonly #texts = new BoundedMap<bigint, string>({ limit: REMEMBERED_FRAMES });

  constructor(database: DatabaseSync) {
    this.#rows = new CheckedRows(database, KEY_FRAMES);
    this.#byText = this.#rows.query("where text = ?");
    this.#last = database.prepare("select max(id) as id from key_frame");
  }

  /** Null if it has none yet. */
  number(text: string): bigint | null {
    const known = this.#numbers.get(text);
    if (known !== undefined && known !== null) return known;
    const number = this.#find(text) ?? (known === null ? this.#add(text) : null);
    this.#numbers.set(text, number);
    return number;
  }

  text(number: bigint): string {
    return this.#texts.getOrMake(number, () => {
      const row = this.#rows.find(number);
      if (row === undefined) throw new ReplicaDamaged(`the table key_frame has lost ${number}`);
      return row["text"] as string;
    });
  }

  /** Numbers given out in a transaction that was rolled back do not exist. */
  reload(): void {
    this.#numbers.clear();
    this.#texts.clear();
  }

  #find(text: string): bigint | null {
    return (this.#byText.get(text)?.["id"] ?? null) as bigint | null;
  }

  #add(text: string): bigint {
    const number = ((this.#last.get()?.["id"] ?? 0n) as bigint) + 1n;
    this.#rows.insert(number, text);
    return number;
  }
}
