/**
 * The rows of the log in SQLite: entries, the last one's number and hash, and what trimming leaves. Entries are packed with
 * a dictionary of earlier ones. The first ones, long ones, and those of earlier releases stand as texts.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { PackedTextDamaged, type Sql, type StoreDefinition, TextDictionaries } from "@callsign/node";
import { findDamagedEnd } from "./entry-hashes.ts";
import { EMPTY_HEAD, type LogHead } from "./ordered-log.ts";

const SCHEMA = `
  create table if not exists entry (sequence integer primary key, bytes text not null) strict;
  create table if not exists head (one integer primary key check (one = 1), sequence integer not null, hash text not null) strict;
`;

/** The entry before the first that is kept, once entries were trimmed. */
const START = `
  create table start (one integer primary key check (one = 1), sequence integer not null, hash text not null) strict;
`;

/** The first entry of all, once it was trimmed: it says which network the log is of. */
const FIRST = "create table first (one integer primary key check (one = 1), bytes text not null) strict;";

/** An entry has its packed form, or its text. */
const PACKED = `
  alter table entry add column packed blob;
  create table dictionary (id integer primary key, ids text not null, body text not null) strict;
`;

export const logMigrations = { store: "log", migrations: [SCHEMA, START, FIRST, PACKED] };

/** The store that nothing rebuilds: every replica is made from it. */
export const logStore: StoreDefinition = {
  migrations: logMigrations,
  fileName: "log.db",
  findPosition: async (sql) => ({
    sequence: String((await sql.get("select sequence from head"))?.["sequence"] ?? 0n),
  }),
};

/** The entry behind which a stored log begins. */
export async function findLogStart(sql: Sql): Promise<number> {
  // A log of an earlier release has no such table, and all of its entries.
  if ((await sql.get("select 1 as found from sqlite_schema where name = 'start'")) === undefined) return 0;
  return Number((await sql.get("select sequence from start"))?.["sequence"] ?? 0);
}

/** Entries of about the same length have the same form. */
const LENGTHS_OF_A_KIND = 128;

type Row = Readonly<Record<string, SQLOutputValue>>;

export class EntryRows {
  readonly #dictionaries: TextDictionaries;
  readonly #insert;
  readonly #page;
  readonly #last;

  constructor(database: DatabaseSync) {
    this.#dictionaries = openDictionaries(database);
    this.#insert = database.prepare("insert into entry (sequence, bytes, packed) values (?, ?, ?)");
    this.#page = database.prepare(
      "select bytes, packed from entry where sequence > ? and sequence <= ? order by sequence limit +?",
    );
    this.#last = database.prepare("select sequence, bytes, packed from entry order by sequence desc limit 1");
  }

  insert(sequence: number, entry: string): void {
    const kind = `${Math.floor(entry.length / LENGTHS_OF_A_KIND)}`;
    const packed = this.#dictionaries.tryPack(kind, entry);
    this.#insert.run(sequence, packed === null ? entry : "", packed);
  }

  /** The entries behind one, in order. Throws a `PackedTextDamaged` at one that has changed. */
  *list(range: {
    readonly after: number;
    readonly until: number;
    readonly limit: number;
  }): Generator<string> {
    for (const row of this.#page.iterate(range.after, range.until, range.limit)) yield this.#read(row);
  }

  /** The last entry; its text is null if it has changed. */
  findLast(): { readonly sequence: number; readonly entry: string | null } | undefined {
    const row = this.#last.get();
    if (row === undefined) return undefined;
    try {
      return { sequence: Number(row["sequence"]), entry: this.#read(row) };
    } catch (error) {
      if (!(error instanceof PackedTextDamaged)) throw error;
      return { sequence: Number(row["sequence"]), entry: null };
    }
  }

  /** Call after a rollback. */
  reload(): void {
    this.#dictionaries.reload();
  }

  #read({ bytes, packed }: Row): string {
    return packed === null ? String(bytes) : this.#dictionaries.unpack(packed as Uint8Array);
  }
}

function openDictionaries(database: DatabaseSync): TextDictionaries {
  const find = database.prepare("select ids, body from dictionary where id = ?");
  const last = database.prepare("select max(id) as id from dictionary");
  const insert = database.prepare("insert into dictionary (id, ids, body) values (?, ?, ?)");
  return new TextDictionaries({
    find: (id) => {
      const row = find.get(id);
      return row === undefined ? undefined : { ids: String(row["ids"]), body: String(row["body"]) };
    },
    findLast: () => (last.get()?.["id"] ?? 0n) as bigint,
    insert: (id, { ids, body }) => insert.run(id, ids, body),
  });
}

export function prepareHead(database: DatabaseSync) {
  return database.prepare("insert or replace into head (one, sequence, hash) values (1, ?, ?)");
}

export function readLogHead(database: DatabaseSync, table: "head" | "start"): LogHead {
  const row = database.prepare(`select sequence, hash from ${table}`).get();
  if (row === undefined) return EMPTY_HEAD;
  return { sequence: Number(row["sequence"]), entryHash: String(row["hash"]) };
}

/** The reason why the log's end is not what the head says; null if it is. */
export function findLogDamage(entries: EntryRows, head: LogHead, start: LogHead): string | null {
  const last = entries.findLast();
  if (last !== undefined && last.sequence > head.sequence)
    return `it has an entry ${last.sequence}, and its head says ${head.sequence}`;
  if (head.sequence !== start.sequence)
    return findDamagedEnd(last?.sequence === head.sequence ? (last.entry ?? "") : undefined, head);
  return head.entryHash === start.entryHash ? null : "its head and its start have different hashes";
}
