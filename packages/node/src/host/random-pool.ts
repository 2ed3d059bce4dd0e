/**
 * Random bytes, drawn from their source many at a time: a call to the operating system takes longer than all else that a
 * short lookup needs. Bytes are handed out once, and are gone from the pool then.
 */
const POOL_BYTES = 4096;
/** Longer requests are rare, or for keys: their bytes come straight from the source. */
const MAX_POOLED_BYTES = 16;

export class RandomPool {
  readonly #draw: (length: number) => Uint8Array;
  #pool = new Uint8Array(0);
  #used = 0;

  constructor(draw: (length: number) => Uint8Array) {
    this.#draw = draw;
  }

  take(length: number): Uint8Array {
    if (length > MAX_POOLED_BYTES) return this.#draw(length);
    const begin = this.#used + length > this.#pool.length ? this.#refill() : this.#used;
    this.#used = begin + length;
    const taken = this.#pool.slice(begin, this.#used);
    this.#pool.fill(0, begin, this.#used);
    return taken;
  }

  #refill(): number {
    this.#pool = new Uint8Array(this.#draw(POOL_BYTES));
    return 0;
  }
}
