/**
 * How much of large bodies one port has in memory at a time. Each is bounded by its API; together they are bounded
 * here, from their announcement until their answer is written. Small ones are not counted.
 */
import type { IncomingHttpHeaders } from "node:http";

const MAX_BYTES = 64 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;

export class BodyBudget {
  readonly #max: number;
  #taken = 0;

  constructor(max = MAX_BYTES) {
    this.#max = max;
  }

  /** Answers how to give it back, once; null if there is no room. `limit`: for a body that does not say its length. */
  take(headers: IncomingHttpHeaders, limit: number): (() => void) | null {
    const bytes = Math.min(announcedBytes(headers) ?? limit, limit);
    if (bytes <= SMALL_BYTES) return () => undefined;
    // A body that is larger than everything is judged by its API.
    if (this.#taken > 0 && this.#taken + bytes > this.#max) return null;
    this.#taken += bytes;
    return () => {
      this.#taken -= bytes;
    };
  }
}

/** Undefined for a body that comes in pieces. */
function announcedBytes(headers: IncomingHttpHeaders): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return undefined;
  return Number(headers["content-length"] ?? 0);
}
