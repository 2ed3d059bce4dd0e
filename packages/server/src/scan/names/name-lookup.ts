/**
 * Lookups of names. *Now* is the record time of the last applied log entry, and an entry is visible up to and
 * including the microsecond at which it expires. What is answered for an entry is its JSON text.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import {
  findWellKnownByName,
  findWellKnownByParty,
  isVisible,
  type PartyId,
  type Time,
  type WellKnownEntry,
} from "@callsign/ledger";
import { LookupCache } from "./lookup-cache.ts";
import { formatWellKnownEntry } from "./name-entry.ts";
import { endOfPrefix } from "./name-prefix.ts";
import type { WellKnownNames } from "./well-known-names.ts";

/** Without DsoRules nothing is found, not even a name that somebody registered. */
export type NameAnswer =
  | { readonly kind: "found"; readonly json: string }
  | { readonly kind: "not-found" }
  | { readonly kind: "no-dso-rules" };

const NOT_FOUND: NameAnswer = { kind: "not-found" };
const NO_DSO_RULES: NameAnswer = { kind: "no-dso-rules" };

/** Rows as arrays: objects with a name for each column take noticeably longer to make. */
type Row = readonly SQLOutputValue[] | undefined;

export class NameLookup {
  readonly #wellKnown: WellKnownNames;
  readonly #cache: LookupCache;
  readonly #byName: StatementSync;
  readonly #byOwner: StatementSync;
  readonly #between: StatementSync;
  readonly #from: StatementSync;

  /** The capacity is how many entries are kept in memory. */
  constructor(database: DatabaseSync, wellKnown: WellKnownNames, capacity: number) {
    this.#wellKnown = wellKnown;
    this.#cache = new LookupCache(capacity);
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    // In the table, `expires_at >= now` says what isVisible says of one entry.
    const order = "order by name, expires_at desc, created desc";
    this.#byName = prepare(`select json, expires_at from name_entry where name = ? ${order} limit 1`);
    this.#byOwner = prepare(
      `select json from name_entry where owner = ? and expires_at >= ? ${order} limit 1`,
    );
    this.#between = prepare(
      `select json from name_entry where name >= ? and name < ? and expires_at >= ? ${order} limit ?`,
    );
    this.#from = prepare(`select json from name_entry where name >= ? and expires_at >= ? ${order} limit ?`);
  }

  findByName(name: string, now: Time): NameAnswer {
    const wellKnown = this.#wellKnown.list();
    if (wellKnown === null) return NO_DSO_RULES;
    const known = findWellKnownByName(wellKnown, name);
    if (known !== undefined) return foundWellKnown(known);
    const cached = this.#cache.find(name);
    const entry = cached ?? this.#readByName(name);
    if (entry === undefined || !isVisible({ expiresAt: entry.expiresAt, now })) return NOT_FOUND;
    if (cached === undefined) this.#cache.add(name, entry);
    return { kind: "found", json: entry.json };
  }

  /** The party's first name in the order of bytes, unless it has a well-known one. */
  findByParty(party: PartyId, now: Time): NameAnswer {
    const wellKnown = this.#wellKnown.list();
    if (wellKnown === null) return NO_DSO_RULES;
    const known = findWellKnownByParty(wellKnown, party);
    if (known !== undefined) return foundWellKnown(known);
    const row = this.#byOwner.get(party, now) as Row;
    return row === undefined ? NOT_FOUND : { kind: "found", json: row[0] as string };
  }

  /** Registered names in the order of bytes; if they leave room, then the well-known ones. */
  listByPrefix(prefix: string, now: Time, limit: number): readonly string[] {
    // No name has a lone surrogate, and SQLite would take it for another character.
    if (!prefix.isWellFormed()) return [];
    const end = endOfPrefix(prefix);
    const rows =
      end === null ? this.#from.all(prefix, now, limit) : this.#between.all(prefix, end, now, limit);
    const registered = rows.map((row) => (row as unknown as Row)?.[0] as string);
    if (registered.length === limit) return registered;
    const wellKnown = (this.#wellKnown.list() ?? []).filter(({ name }) => name.startsWith(prefix));
    return [...registered, ...wellKnown.slice(0, limit - registered.length).map(formatWellKnownEntry)];
  }

  /** The name's rows have changed. */
  forget(name: string): void {
    this.#cache.forget(name);
  }

  /** Any name's rows may have changed. */
  reload(): void {
    this.#cache.clear();
  }

  /** If the entry that lasts longest has expired, all entries of the name have. */
  #readByName(name: string) {
    if (!name.isWellFormed()) return undefined;
    const row = this.#byName.get(name) as Row;
    return row === undefined ? undefined : { json: row[0] as string, expiresAt: row[1] as Time };
  }
}

function foundWellKnown(entry: WellKnownEntry): NameAnswer {
  return { kind: "found", json: formatWellKnownEntry(entry) };
}
