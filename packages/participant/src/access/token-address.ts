/** The addressee of a token: the ledger API, of any participant or of one. */
import type { VerifiedToken } from "@callsign/node";

/** The claims that a token must carry. The audience takes precedence; without either the default rules apply. */
export interface TokenTarget {
  /** The claim `aud` must contain it. */
  readonly audience?: string;
  /** The claim `scope` or `scp` must contain it. */
  readonly scope?: string;
}

export interface TokenAddress {
  /** The only participant that the token is for; null for every participant that trusts its key. */
  readonly participantId: string | null;
}

const PARTICIPANT_AUDIENCE = "https://daml.com/jwt/aud/participant/";
const DEFAULT_SCOPE = "daml_ledger_api";
const ANY: TokenAddress = { participantId: null };

/** Null if the token is not for this API. */
export function readTokenAddress(token: VerifiedToken, target: TokenTarget): TokenAddress | null {
  if (target.audience !== undefined) return token.audiences.includes(target.audience) ? ANY : null;
  if (target.scope !== undefined) return token.scopes.includes(target.scope) ? ANY : null;
  return readDefault(token);
}

/** An audience names the participant; or a scope names the API, and the one audience, if there is any, the participant. */
function readDefault({ audiences, scopes }: VerifiedToken): TokenAddress | null {
  const [named, ...more] = audiences
    .filter((audience) => audience.startsWith(PARTICIPANT_AUDIENCE))
    .map((audience) => audience.slice(PARTICIPANT_AUDIENCE.length));
  if (named !== undefined && named !== "" && more.length === 0) return { participantId: named };
  if (!scopes.includes(DEFAULT_SCOPE) || audiences.length > 1) return null;
  return { participantId: audiences[0] ?? null };
}
