/**
 * Lookups of names. *Now* is the record time of the last applied log entry, and an entry is visible up to and
 * including the microsecond at which it expires. The result is the body of the answer; the route sends it unchanged.
 */
import { isVisible, MIN_TIME, type PartyId, type Time } from "@callsign/ledger";
import { type CachedAnswer, type CacheFigures, LookupCache } from "./lookup-cache.ts";
import { type FoundName, foundName } from "./name-entry.ts";
import { endOfPrefix } from "./name-prefix.ts";
import type { WellKnownNames } from "./well-known-names.ts";

/** Without DsoRules nothing is found, not even a registered name. */
export type NameAnswer = FoundName | { readonly kind: "not-found" } | { readonly kind: "no-dso-rules" };

const NOT_FOUND: NameAnswer = { kind: "not-found" };
const NO_DSO_RULES: NameAnswer = { kind: "no-dso-rules" };

/** An entry's JSON, and when it expires. */
export type NameRow = readonly [json: string, expiresAt: Time];

/** The registered names. Names are well-formed strings, ordered by their bytes. */
export interface NameReader {
  /** Of the entries with the name, the one that expires last, at whatever time. */
  readonly findByName: (name: string) => NameRow | undefined;
  /** The owner's first name of those that are visible then. */
  readonly findByOwner: (owner: string, now: Time) => NameRow | undefined;
  /** The JSON of visible entries, from a name on and before an end; null has no end. */
  readonly list: (range: {
    readonly from: string;
    readonly end: string | null;
    readonly now: Time;
    readonly limit: number;
  }) => readonly string[];
}

export class NameLookup {
  readonly #wellKnown: WellKnownNames;
  readonly #nameCache: LookupCache;
  readonly #partyCache: LookupCache;
  readonly #rows: NameReader;

  /** The capacity counts cached answers: so many for names, and so many for parties. */
  constructor(rows: NameReader, wellKnown: WellKnownNames, capacity: number) {
    this.#rows = rows;
    this.#wellKnown = wellKnown;
    this.#nameCache = new LookupCache(capacity);
    this.#partyCache = new LookupCache(capacity);
  }

  findByName(name: string, now: Time): NameAnswer {
    const wellKnown = this.#wellKnown.find();
    if (wellKnown === null) return NO_DSO_RULES;
    const known = wellKnown.byName.get(name);
    if (known !== undefined) return known;
    const cached = this.#nameCache.find(name);
    const answer = cached ?? this.#readByName(name);
    if (answer === undefined || !isVisible({ expiresAt: answer.expiresAt, now })) return NOT_FOUND;
    if (cached === undefined) this.#nameCache.add(name, answer);
    return answer.found;
  }

  /** The party's first name in the order of bytes, unless it has a well-known one. */
  findByParty(party: PartyId, now: Time): NameAnswer {
    const wellKnown = this.#wellKnown.find();
    if (wellKnown === null) return NO_DSO_RULES;
    const known = wellKnown.byParty.get(party);
    if (known !== undefined) return known;
    const cached = this.#partyCache.find(party);
    if (cached !== undefined && now >= cached.from && isVisible({ expiresAt: cached.expiresAt, now })) {
      return cached.found;
    }
    const answer = this.#readByOwner(party, now);
    if (answer === undefined) return NOT_FOUND;
    this.#partyCache.add(party, answer);
    return answer.found;
  }

  /** Registered names in the order of bytes; if they leave room, then the well-known ones. The JSON of each entry. */
  listByPrefix(prefix: string, now: Time, limit: number): readonly string[] {
    // No name has a lone surrogate, and SQLite would take it for another character.
    if (!prefix.isWellFormed()) return [];
    const registered = this.#rows.list({ from: prefix, end: endOfPrefix(prefix), now, limit });
    if (registered.length === limit) return registered;
    const wellKnown = (this.#wellKnown.find()?.entries ?? []).filter(({ name }) => name.startsWith(prefix));
    return [...registered, ...wellKnown.slice(0, limit - registered.length).map(({ json }) => json)];
  }

  listCaches(): readonly { readonly cache: string; readonly figures: CacheFigures }[] {
    return [
      { cache: "names", figures: this.#nameCache.figures },
      { cache: "parties", figures: this.#partyCache.figures },
    ];
  }

  /** Removes cached answers after rows of the name or of its owner changed. */
  forget({ name, owner }: { readonly name: string; readonly owner: string }): void {
    this.#nameCache.forget(name);
    this.#partyCache.forget(owner);
  }

  /** Clears the caches: any row may have changed. */
  reload(): void {
    this.#nameCache.clear();
    this.#partyCache.clear();
  }

  /** The entry that expires last: if it has expired, all entries of the name have. */
  #readByName(name: string): CachedAnswer | undefined {
    if (!name.isWellFormed()) return undefined;
    return read(this.#rows.findByName(name), MIN_TIME);
  }

  /** The first of the names that are visible now. It stays the first until the next expiry. */
  #readByOwner(party: PartyId, now: Time): CachedAnswer | undefined {
    return read(this.#rows.findByOwner(party, now), now);
  }
}

function read(row: NameRow | undefined, from: Time): CachedAnswer | undefined {
  if (row === undefined) return undefined;
  const [json, expiresAt] = row;
  return { found: foundName(json, expiresAt), from, expiresAt };
}
