/**
 * Entries that were looked up lately, by name. Whoever writes the index forgets the names it changes, so what is
 * here is what the rows say; whether an entry is still visible is for the reader to see, from its expiry. Two
 * halves share the room: what is used moves to the young half, and when that is full the old half goes. That keeps
 * what is asked for often nearly as well as a list by last use would, and costs nothing to keep in order.
 */
import type { Time } from "@callsign/ledger";

export interface CachedEntry {
  readonly json: string;
  readonly expiresAt: Time;
}

export class LookupCache {
  readonly #half: number;
  #young = new Map<string, CachedEntry>();
  #old = new Map<string, CachedEntry>();

  /** With less than room for two, nothing is kept. */
  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  find(name: string): CachedEntry | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.add(name, old);
    return old;
  }

  add(name: string, entry: CachedEntry): void {
    if (this.#half === 0) return;
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, entry);
  }

  forget(name: string): void {
    this.#young.delete(name);
    this.#old.delete(name);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
