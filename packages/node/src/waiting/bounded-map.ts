/** A map with a limit, for caches: the oldest entry makes room for a new one. */

export interface BoundedMapOptions {
  /** The number of entries at most; 0 keeps nothing. */
  readonly limit: number;
  /** Entries older than this are not found. */
  readonly timeToLive?: { readonly milliseconds: number; readonly now: () => number };
}

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/** The iterator is made anew after so many entries, and as many as the map has. */
const RENEWED_AFTER = 100;

export class BoundedMap<K, V> {
  readonly #options: BoundedMapOptions;
  readonly #entries = new Map<K, Entry<V>>();
  /** Stands before the oldest entry. A new iterator would pass over all that was removed before it. */
  #oldest = this.#entries.keys();
  /** Entries that were set since the iterator was made. */
  #setSince = 0;

  constructor(options: BoundedMapOptions) {
    this.#options = options;
  }

  /** Entries whose time is over count until they make room. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const { timeToLive } = this.#options;
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (timeToLive !== undefined && timeToLive.now() >= entry.until) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry.value;
  }

  /** The value of the key, made if it is not there. */
  getOrMake(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  /** A value that is set again counts as new. */
  set(key: K, value: V): void {
    const { limit, timeToLive } = this.#options;
    if (limit === 0) return;
    this.#entries.delete(key);
    if (this.#entries.size >= limit) this.#removeOldest();
    // Where entries are deleted before the map is full, the iterator stands still, and holds every table that the map has outgrown.
    if (++this.#setSince > this.#entries.size + RENEWED_AFTER) this.#startAtOldest();
    const until = timeToLive === undefined ? 0 : timeToLive.now() + timeToLive.milliseconds;
    this.#entries.set(key, { value, until });
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The oldest first. */
  *entries(): Iterable<[K, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  #removeOldest(): void {
    let next = this.#oldest.next();
    if (next.done === true) {
      this.#startAtOldest();
      next = this.#oldest.next();
    }
    if (next.done !== true) this.#entries.delete(next.value);
  }

  #startAtOldest(): void {
    this.#oldest = this.#entries.keys();
    this.#setSince = 0;
  }
}
