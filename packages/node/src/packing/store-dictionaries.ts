/**
 * Dictionaries of a store that both SQLite and PostgreSQL can be. Its reads take their time and packing does not: all dictionaries of a
 * purpose, which are few, are read before the first is needed.
 */
import type { Sql } from "../database/store.ts";
import { type DictionaryRow, TextDictionaries } from "./text-dictionaries.ts";

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

  /**
   * Whoever packs saves in the same transaction, before or behind the rows. A caller never waits for the read of another one: that
   * may wait for the end of the caller's transaction.
   */
  async load(sql: Sql): Promise<LoadedDictionaries> {
    if (this.#loaded !== null) return this.#loaded;
    const timesForgotten = this.#timesForgotten;
    const read = await this.#read(sql);
    // The next caller reads them again.
    if (timesForgotten !== this.#timesForgotten) return read;
    this.#loaded ??= read;
    return this.#loaded;
  }

  /**
   * For a transaction that packs: dictionaries that the store does not have, after a rollback or a loss, are forgotten first. No other
   * call of `forget` is needed then.
   */
  async loadToPack(sql: Sql): Promise<LoadedDictionaries> {
    const loaded = await this.load(sql);
    const row = await sql.get("select max(id) as id from text_dictionary where purpose = $1", this.#purpose);
    if ((row?.["id"] ?? 0n) === loaded.lastId) return loaded;
    this.forget();
    return await this.load(sql);
  }

  /** Call after a rollback or a loss: the transaction may have inserted a dictionary. */
  forget(): void {
    this.#loaded = null;
    this.#timesForgotten++;
  }

  async #read(sql: Sql): Promise<LoadedDictionaries> {
    const rows = await sql.all("select id, ids, body from text_dictionary where purpose = $1", this.#purpose);
    return new LoadedDictionaries(
      this.#purpose,
      rows.map(({ id, ids, body }) => [id as bigint, { ids: ids as string, body: body as string }]),
    );
  }
}

export class LoadedDictionaries {
  readonly #purpose: string;
  readonly #rows: Map<bigint, DictionaryRow>;
  readonly #unsaved: bigint[] = [];
  readonly #dictionaries: TextDictionaries;

  constructor(purpose: string, rows: Iterable<readonly [bigint, DictionaryRow]>) {
    this.#purpose = purpose;
    this.#rows = new Map(rows);
    this.#dictionaries = new TextDictionaries({
      find: (id) => this.#rows.get(id),
      findLast: () => this.lastId,
      insert: (id, row) => {
        this.#rows.set(id, row);
        this.#unsaved.push(id);
      },
    });
  }

  /** The number of the newest; 0 if there is none. */
  get lastId(): bigint {
    return BigInt(this.#rows.size);
  }

  /**
   * Texts of one kind, such as contracts of a template, are alike. Known ids are those that the reader gives, such as the
   * row's key: they take no bytes.
   */
  pack(kind: string, text: string, known = ""): Buffer {
    return this.#dictionaries.pack(kind, text, known);
  }

  /** Throws if the bytes are not those of a packed text. */
  unpack(bytes: Uint8Array, known = ""): string {
    return this.#dictionaries.unpack(bytes, known);
  }

  async save(sql: Sql): Promise<void> {
    for (const id of this.#unsaved.splice(0)) {
      const row = this.#rows.get(id) as DictionaryRow;
      await sql.run(
        "insert into text_dictionary (purpose, id, ids, body) values ($1, $2, $3, $4)",
        ...[this.#purpose, id, row.ids, row.body],
      );
    }
  }
}
