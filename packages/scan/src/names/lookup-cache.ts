/**
 * A cache of answers to lookups, by name or by party. Writers of the index remove the names and parties they change, so a
 * cached answer equals the rows; the reader checks by its two times that it still holds. The cache has two halves: a hit
 * moves to the young half, and a full young half replaces the old one. That keeps frequent names nearly as well as
 * least-recently-used order would, at no cost.
 */
import type { Time } from "@callsign/ledger";
import type { FoundName } from "./name-entry.ts";
import { TextMap } from "./text-map.ts";

export interface CachedAnswer {
  readonly found: FoundName;
  /** The answer is valid from this time, */
  readonly from: Time;
  /** until the entry expires. */
  readonly expiresAt: Time;
}

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly size: number;
  readonly evictions: number;
}

export class LookupCache {
  readonly #half: number;
  #hits = 0;
  #misses = 0;
  #evictions = 0;
  #young = new TextMap<CachedAnswer>();
  #old = new TextMap<CachedAnswer>();

  /** With less than room for two, nothing is kept. */
  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  find(key: string): CachedAnswer | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#hits++;
      return young;
    }
    const old = this.#old.get(key);
    if (old === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.add(key, old);
    return old;
  }

  add(key: string, answer: CachedAnswer): void {
    if (this.#half === 0) return;
    if (this.#young.size >= this.#half) {
      this.#evictions += this.#old.size;
      this.#old = this.#young;
      this.#young = new TextMap();
    }
    this.#young.set(key, answer);
  }

  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  get figures(): CacheFigures {
    return { hits: this.#hits, misses: this.#misses, size: this.size, evictions: this.#evictions };
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
