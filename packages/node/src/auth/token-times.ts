/** When a token holds. Tokens alone are judged by the machine's clock. */
import type { JWTPayload } from "jose";
import { TokenRejected } from "./verified-token.ts";

/** How far the clock of whoever signs tokens may be off; none unless it is said. */
interface TokenLeeway {
  /** For each of the claims that has none of its own. */
  readonly defaultSeconds?: number;
  readonly expiresAtSeconds?: number;
  readonly issuedAtSeconds?: number;
  readonly notBeforeSeconds?: number;
}

export interface TokenTimes {
  readonly leeway?: TokenLeeway;
  /** Tokens that hold longer than this from now on, or that do not end, are not believed. Without it they may. */
  readonly maxLifetimeSeconds?: number;
}

/** Whoever signs may round its clock to the next second. */
const ROUNDING_SECONDS = 1;

/** Where the token holds now, the moment from which on it does not, in milliseconds. */
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
