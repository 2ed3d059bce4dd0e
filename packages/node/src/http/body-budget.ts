/**
 * The memory that large bodies take on one port. Each body is bounded by its API; all together are bounded here, from
 * their announcement until their answer is written. Small bodies do not count.
 */
import type { IncomingHttpHeaders } from "node:http";
import { MAX_BODY_BYTES_AT_ONCE, SMALL_BODY_BYTES } from "./limits.ts";

export class BodyBudget {
  readonly #max: number;
  #taken = 0;

  constructor(max = MAX_BODY_BYTES_AT_ONCE) {
    this.#max = max;
  }

  /** Returns a function that gives the memory back; null if there is no room. A body of unknown length counts as `limit`. */
  take(headers: IncomingHttpHeaders, limit: number): (() => void) | null {
    const bytes = Math.min(announcedBytes(headers) ?? limit, limit);
    if (bytes <= SMALL_BODY_BYTES) return () => undefined;
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
