/**
 * Tokens that were verified a moment ago. Checking a signature costs more than most calls; a token is believed again
 * for a few seconds, never beyond its own end, never once the keys have changed, and only so many are kept.
 */
import type { VerifiedToken } from "./verified-token.ts";

const MAX_TOKENS = 1000;
const KEPT_MILLISECONDS = 10_000;
/** Longer ones are not kept: a thousand of them would be. */
const MAX_TOKEN_LENGTH = 8000;

interface Kept {
  readonly verified: VerifiedToken;
  readonly until: number;
}

export class TokenCache {
  readonly #kept = new Map<string, Kept>();
  #generation = 0;

  /** `generation`: of the keys. */
  find(token: string, now: number, generation: number): VerifiedToken | undefined {
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#kept.clear();
    }
    const kept = this.#kept.get(token);
    if (kept === undefined) return undefined;
    if (now < kept.until) return kept.verified;
    this.#kept.delete(token);
    return undefined;
  }

  /** What was verified with keys that are gone by now is not kept. `end`: milliseconds since 1970. */
  keep(token: string, verified: VerifiedToken, at: { now: number; generation: number; end: number }): void {
    if (token.length > MAX_TOKEN_LENGTH || at.generation !== this.#generation) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_TOKENS && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(token, { verified, until: Math.min(at.now + KEPT_MILLISECONDS, at.end) });
  }
}
