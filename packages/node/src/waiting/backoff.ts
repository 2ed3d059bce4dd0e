/** Pauses between attempts that double from the first to the longest. */
import type { Randomness } from "../host/host.ts";

export interface BackoffOptions {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
  /** Shortens each pause by up to half, so that processes that failed together do not come back together. */
  readonly jitter?: Randomness;
}

export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The pause after one more failure. */
  next(): number {
    return backoffMilliseconds(this.#failures++, this.#options);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** The pause after a failure that came after so many others in a row. */
export function backoffMilliseconds(earlierFailures: number, options: BackoffOptions): number {
  const { firstMilliseconds, longestMilliseconds, jitter } = options;
  const pause = Math.min(firstMilliseconds * 2 ** earlierFailures, longestMilliseconds);
  return jitter === undefined ? pause : pause * (0.5 + jitter.fraction() / 2);
}
