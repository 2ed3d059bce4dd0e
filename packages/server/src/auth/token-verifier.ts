/**
 * Verifies tokens as configuration says: which algorithm, which key, which audience. Nothing of that is taken from
 * the token. Tokens alone are judged by the machine's clock.
 */
import { errors, type JWTPayload, jwtVerify } from "jose";
import { TokenCache } from "./token-cache.ts";
import { TokenRejected, type TokenVerifier, type VerifiedToken } from "./verified-token.ts";

/** A shared secret, for networks on one machine. Key sets will stand beside it, under a kind of their own. */
export interface SharedSecretAuth {
  readonly kind: "hs256";
  readonly secret: string;
  /** The token's `aud` must contain it. */
  readonly audience: string;
}

export type TokenVerifierConfig = SharedSecretAuth;

const MAX_TOKEN_LENGTH = 16_000;
const DAML_USER_CLAIM = "https://canton-network";

/** Rejects with `TokenRejected` where the token does not hold. */
export function createTokenVerifier(config: TokenVerifierConfig): TokenVerifier {
  const cache = new TokenCache();
  const key = new TextEncoder().encode(config.secret);
  return async (token) => {
    const now = Date.now();
    const known = cache.find(token, now);
    if (known !== undefined) return known;
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRejected("the token is too long");
    const verified = readClaims(await verify(token, key, config.audience));
    cache.keep(token, verified, now);
    return verified;
  };
}

async function verify(token: string, key: Uint8Array, audience: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], audience });
    // The library checks the start of validity; that the token was not made in the future it leaves to us.
    if (payload.iat !== undefined && payload.iat * 1000 > Date.now() + 1000) {
      throw new TokenRejected("the token was issued in the future");
    }
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new TokenRejected(error.code, { cause: error });
    if (error instanceof TypeError) throw new TokenRejected("the token is not one", { cause: error });
    throw error;
  }
}

function readClaims({ sub, iss, exp, ...claims }: JWTPayload): VerifiedToken {
  const object = claims[DAML_USER_CLAIM];
  const user =
    typeof object === "object" && object !== null && "daml_user" in object ? object.daml_user : null;
  return {
    subject: typeof sub === "string" ? sub : null,
    damlUser: typeof user === "string" ? user : null,
    issuer: typeof iss === "string" ? iss : null,
    expiresAt: typeof exp === "number" ? exp : null,
  };
}
