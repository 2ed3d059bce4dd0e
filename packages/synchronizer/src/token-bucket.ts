/** How often something may happen: so many times at once, and then as fast as it fills again. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #clock: () => number;
  #tokens: number;
  #filledAt: number;

  /** The clock's milliseconds only ever grow. */
  constructor(parts: {
    readonly capacity: number;
    readonly perSecond: number;
    readonly clock: () => number;
  }) {
    this.#capacity = parts.capacity;
    this.#perSecond = parts.perSecond;
    this.#clock = parts.clock;
    this.#tokens = parts.capacity;
    this.#filledAt = parts.clock();
  }

  /** Whether it may happen now; if so, it counts. */
  take(): boolean {
    const now = this.#clock();
    const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(filled, this.#capacity);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
