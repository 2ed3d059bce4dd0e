/** A rate limit: `capacity` takes at once, and then as many as `perSecond` refills. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #elapsedMilliseconds: () => number;
  #tokens: number;
  #filledAt: number;

  constructor(options: {
    readonly capacity: number;
    readonly perSecond: number;
    /** Of the host's clock. */
    readonly elapsedMilliseconds: () => number;
  }) {
    this.#capacity = options.capacity;
    this.#perSecond = options.perSecond;
    this.#elapsedMilliseconds = options.elapsedMilliseconds;
    this.#tokens = options.capacity;
    this.#filledAt = options.elapsedMilliseconds();
  }

  /** Takes a token; false if there is none. */
  take(): boolean {
    const now = this.#elapsedMilliseconds();
    const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(filled, this.#capacity);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
