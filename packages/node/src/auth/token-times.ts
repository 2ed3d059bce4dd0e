/** The times of a token. Tokens are checked against the machine's clock, unlike anything on the ledger. */
import type { JWTPayload } from "jose";
import { TokenRejected } from "./verified-token.ts";

/** The tolerated error of the issuer's clock; 0 if omitted. */
interface TokenLeeway {
  /** For each claim without a leeway of its own. */
  readonly defaultSeconds?: number;
  readonly expiresAtSeconds?: number;
  readonly issuedAtSeconds?: number;
  readonly notBeforeSeconds?: number;
}

export interface TokenTimes {
  readonly leeway?: TokenLeeway;
  /** Refuses tokens that expire later than this from now, or never. No limit if omitted. */
  readonly maxLifetimeSeconds?: number;
}

/** An issuer may round its clock up to the next second. */
const ROUNDING_SECONDS = 1;

/** The end of a token that is valid now, in milliseconds since 1970. Throws `TokenRejected` for others. */
export function checkTimes(
  { exp, iat, nbf }: JWTPayload,
  { leeway = {}, maxLifetimeSeconds }: TokenTimes,
  now: number,
): number {
  const { defaultSeconds = 0 } = leeway;
  const {
    expiresAtSeconds = defaultSeconds,
    issuedAtSeconds = defaultSeconds,
    notBeforeSeconds = defaultSeconds,
  } = leeway;
  const seconds = Math.floor(now / 1000);
  for (const [claim, value] of Object.entries({ exp, iat, nbf })) {
    if (value !== undefined && !Number.isFinite(value)) throw new TokenRejected(`${claim} is no time`);
  }
  if (exp !== undefined && exp + expiresAtSeconds <= seconds)
    throw new TokenRejected("the token has expired");
  if (nbf !== undefined && nbf - notBeforeSeconds > seconds) {
    throw new TokenRejected("the token does not hold yet");
  }
  if (iat !== undefined && iat - issuedAtSeconds - ROUNDING_SECONDS > seconds) {
    throw new TokenRejected("the token was issued in the future");
  }
  if (maxLifetimeSeconds !== undefined && (exp === undefined || exp - seconds > maxLifetimeSeconds)) {
    throw new TokenRejected(`the token holds longer than ${maxLifetimeSeconds} seconds`);
  }
  return exp === undefined ? Number.POSITIVE_INFINITY : (exp + expiresAtSeconds) * 1000;
}
