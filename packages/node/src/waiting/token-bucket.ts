interface TokenBucketOptions {
  readonly capacity: number;
  readonly perSecond: number;
  /** Of the host's clock. */
  readonly elapsedMilliseconds: () => number;
}

/** A rate limit: `capacity` takes at once, and then as many as `perSecond` refills. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filledAt: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.capacity;
    this.#filledAt = options.elapsedMilliseconds();
  }

  /** Takes a token; false if there is none. */
  take(): boolean {
    if (this.isEmpty()) return false;
    this.#tokens--;
    return true;
  }

  /** True if there is no token to take now. */
  isEmpty(): boolean {
    const { capacity, perSecond, elapsedMilliseconds } = this.#options;
    const now = elapsedMilliseconds();
    this.#tokens = Math.min(this.#tokens + ((now - this.#filledAt) / 1000) * perSecond, capacity);
    this.#filledAt = now;
    return this.#tokens < 1;
  }

  /** After a failed take: the time until the next one can succeed. */
  secondsUntilNext(): number {
    return Math.max(1 - this.#tokens, 0) / this.#options.perSecond;
  }
}
