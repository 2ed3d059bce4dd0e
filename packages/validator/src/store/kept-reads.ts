/** Values read from the copy of the ledger, each kept for as long as the contracts that it was read from stay the same. */
import { BoundedMap } from "@callsign/node";

interface KeptReadsOptions {
  /** The number of keys at most. */
  readonly limit: number;
  /** Another number once the contracts may have changed. */
  readonly changes: () => number;
}

interface Kept<V> {
  readonly changes: number;
  readonly value: V;
}

export class KeptReads<V> {
  readonly #changes: () => number;
  readonly #kept: BoundedMap<string, Kept<V>>;

  constructor({ limit, changes }: KeptReadsOptions) {
    this.#changes = changes;
    this.#kept = new BoundedMap({ limit });
  }

  /** Undefined if it has to be read. */
  find(key: string): V | undefined {
    const kept = this.#kept.get(key);
    return kept?.changes === this.#changes() ? kept.value : undefined;
  }

  /** Reads a value that is not kept. Keys without a value take no room. */
  async get<R extends V | undefined>(key: string, read: () => Promise<R>): Promise<V | R> {
    const known = this.find(key);
    if (known !== undefined) return known;
    // The contracts may change while they are read.
    const changes = this.#changes();
    const value = await read();
    if (value !== undefined) this.#kept.set(key, { changes, value });
    return value;
  }
}
