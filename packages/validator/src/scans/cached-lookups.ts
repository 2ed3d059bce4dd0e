/** Values that are read on demand by a key, each cached for a time; the oldest makes room for a new one. */
import { BoundedMap, CachedRead, type Clock } from "@callsign/node";

export interface CachedLookupsOptions {
  readonly limit: number;
  readonly milliseconds: number;
  readonly clock: Clock;
}

export class CachedLookups<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #options: CachedLookupsOptions;
  readonly #known: BoundedMap<string, CachedRead<T>>;

  constructor(read: (key: string) => Promise<T>, options: CachedLookupsOptions) {
    this.#read = read;
    this.#options = options;
    this.#known = new BoundedMap({ limit: options.limit });
  }

  get(key: string): Promise<T> {
    const known = this.#known.get(key);
    if (known !== undefined) return known.get();
    const { milliseconds, clock } = this.#options;
    const lookup = new CachedRead(() => this.#read(key), milliseconds, clock);
    this.#known.set(key, lookup);
    return lookup.get();
  }

  /** The next caller reads it anew. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  drop(): void {
    this.#known.clear();
  }
}
