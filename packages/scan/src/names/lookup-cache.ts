/**
 * Answers to lookups that were made lately, by name or by party. Whoever writes the index forgets the names and the
 * parties it changes, so what is here is what the rows say, for as long as the answer holds: that is for the reader
 * to see, from its two times. Two halves share the room: what is used moves to the young half, and when that is full
 * the old half goes. That keeps what is asked for often nearly as well as a list by last use would, and costs nothing
 * to keep in order.
 */
import type { Time } from "@callsign/ledger";
import type { FoundName } from "./name-entry.ts";

export interface CachedAnswer {
  readonly found: FoundName;
  /** The answer holds from here on, */
  readonly from: Time;
  /** and as long as the entry is visible. */
  readonly expiresAt: Time;
}

export class LookupCache {
  readonly #half: number;
  #young = new Map<string, CachedAnswer>();
  #old = new Map<string, CachedAnswer>();

  /** With less than room for two, nothing is kept. */
  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  find(key: string): CachedAnswer | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.add(key, old);
    return old;
  }

  add(key: string, answer: CachedAnswer): void {
    if (this.#half === 0) return;
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
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

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
