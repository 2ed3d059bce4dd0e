/**
 * Tokens that were verified a moment ago. Checking a signature costs more than most calls: a cached token is accepted for
 * a few seconds, never beyond its own end, and never once the keys have changed.
 */
import { BoundedMap } from "../waiting/bounded-map.ts";
import type { VerifiedToken } from "./verified-token.ts";

const MAX_TOKENS = 1000;
const CACHED_MILLISECONDS = 10_000;
/** Bounds the memory of the cache: longer tokens are verified each time. */
const MAX_TOKEN_LENGTH = 8000;

interface CachedToken {
  readonly verified: VerifiedToken;
  /** Of the keys that it was verified with. */
  readonly generation: number;
  readonly until: number;
}

export class TokenCache {
  readonly #tokens = new BoundedMap<string, CachedToken>({ limit: MAX_TOKENS });

  /** `generation`: the present one of the keys. */
  find(token: string, now: number, generation: number): VerifiedToken | undefined {
    const cached = this.#tokens.get(token);
    return cached?.generation === generation && now < cached.until ? cached.verified : undefined;
  }

  /** `end`: milliseconds since 1970. */
  keep(token: string, verified: VerifiedToken, at: { now: number; generation: number; end: number }): void {
    if (token.length > MAX_TOKEN_LENGTH) return;
    const { now, generation, end } = at;
    this.#tokens.set(token, { verified, generation, until: Math.min(now + CACHED_MILLISECONDS, end) });
  }
}
