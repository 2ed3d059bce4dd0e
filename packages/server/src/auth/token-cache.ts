/**
 * Tokens that were verified a moment ago. Checking a signature costs more than most calls; a token is believed again
 * for a few seconds, never beyond its own end, and only so many are kept.
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

  find(token: string, now: number): VerifiedToken | undefined {
    const kept = this.#kept.get(token);
    if (kept === undefined) return undefined;
    if (now < kept.until) return kept.verified;
    this.#kept.delete(token);
    return undefined;
  }

  keep(token: string, verified: VerifiedToken, now: number): void {
    if (token.length > MAX_TOKEN_LENGTH) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_TOKENS && oldest !== undefined) this.#kept.delete(oldest);
    const end = verified.expiresAt === null ? Number.POSITIVE_INFINITY : verified.expiresAt * 1000;
    this.#kept.set(token, { verified, until: Math.min(now + KEPT_MILLISECONDS, end) });
  }
}
