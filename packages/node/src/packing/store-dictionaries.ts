/**
 * Dictionaries of a store that both SQLite and PostgreSQL can be. Its reads take their time and packing does not: all dictionaries of a
 * purpose, which are few, are read before the first is needed.
 */
import type { Sql } from "../database/store.ts";
import { type DictionaryRow, type DictionaryRows, TextDictionaries } from "./text-dictionaries.ts";

/** A migration of the store makes it. */
export const TEXT_DICTIONARIES = `
  create table text_dictionary (
    purpose text not null,
    id bigint not null,
    ids text not null,
    body text not null,
    primary key (purpose, id)
  );
`;

export class StoreDictionaries {
  readonly #purpose: string;
  #loaded: LoadedDictionaries | null = null;
  #timesForgotten = 0;

  constructor(purpose: string) {
    this.#purpose = purpose;
  }

  /** For readers of rows, behind the rows: those that the rows name are among them. */
  async load(sql: Sql): Promise<LoadedDictionaries> {
    if (this.#loaded !== null) return this.#loaded;
    const timesForgotten = this.#timesForgotten;
    // Nobody waits for the read of another caller: it may wait for the end of this caller's transaction.
    const read = await this.#read(sql);
    // The next caller reads them again.
    if (timesForgotten !== this.#timesForgotten) return read;
    this.#loaded ??= read;
    return this.#loaded;
  }

  /**
   * For a transaction that packs, which calls `save` as well. Dictionaries that the store does not have, after a rollback or a loss, are
   * forgotten first.
   */
  async loadToPack(sql: Sql): Promise<LoadedDictionaries> {
    const loaded = await this.load(sql);
    const row = await sql.get("select max(id) as id from text_dictionary where purpose = $1", this.#purpose);
    if ((row?.["id"] ?? 0n) === loaded.lastId) return loaded;
    this.#loaded = null;
    this.#timesForgotten++;
    return await this.load(sql);
  }

  async #read(sql: Sql): Promise<LoadedDictionaries> {
    const rows = await sql.all("select id, ids, body from text_dictionary where purpose = $1", this.#purpose);
    const read = rows.map(
      ({ id, ids, body }) => [id as bigint, { ids: ids as string, body: body as string }] as const,
    );
    return new LoadedDictionaries(this.#purpose, new LoadedRows(read));
  }
}

/** The rows of a purpose in memory. */
class LoadedRows implements DictionaryRows {
  readonly rows: Map<bigint, DictionaryRow>;
  readonly unsaved: (readonly [bigint, DictionaryRow])[] = [];

  constructor(rows: Iterable<readonly [bigint, DictionaryRow]>) {
    this.rows = new Map(rows);
  }

  find(id: bigint): DictionaryRow | undefined {
    return this.rows.get(id);
  }

  findLast(): bigint {
    return BigInt(this.rows.size);
  }

  insert(id: bigint, row: DictionaryRow): void {
    this.rows.set(id, row);
    this.unsaved.push([id, row]);
  }
}

export class LoadedDictionaries extends TextDictionaries {
  readonly #purpose: string;
  readonly #rows: LoadedRows;

  constructor(purpose: string, rows: LoadedRows) {
    super(rows);
    this.#purpose = purpose;
    this.#rows = rows;
  }

  /** The number of the newest; 0 if there is none. */
  get lastId(): bigint {
    return this.#rows.findLast();
  }

  async save(sql: Sql): Promise<void> {
    for (const [id, { ids, body }] of this.#rows.unsaved.splice(0))
      await sql.run(
        "insert into text_dictionary (purpose, id, ids, body) values ($1, $2, $3, $4)",
        ...[this.#purpose, id, ids, body],
      );
  }
}
