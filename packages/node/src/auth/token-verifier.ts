/**
 * Verifies tokens as configuration says: which keys, which times, which audience. Nothing of that is taken from the
 * token, and the algorithm is the key's.
 */
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import type { Host } from "../host/host.ts";
import { systemHost } from "../host/system-host.ts";
import type { Log } from "../observability/log.ts";
import { RemoteKeySet } from "./remote-key-set.ts";
import { TokenCache } from "./token-cache.ts";
import { sharedSecret, type TokenKeys } from "./token-keys.ts";
import { checkTimes, type TokenTimes } from "./token-times.ts";
import { TokenRejected, type TokenVerifier, type VerifiedToken } from "./verified-token.ts";

/** A shared secret, for networks on one machine. Unsafe: whoever can check a token can make one. */
interface SharedSecretKeys {
  readonly kind: "hs256";
  readonly secret: string;
}

/** Public keys behind an address: RSA keys for RS256, EC keys on P-256 for ES256, on P-521 for ES512. */
interface KeySetKeys {
  readonly kind: "jwks";
  readonly jwksUrl: string;
}

export type TokenKeysConfig = SharedSecretKeys | KeySetKeys;

/** The token's `aud` must contain the audience. */
export type TokenVerifierConfig = TokenKeysConfig & { readonly audience: string };

export interface TokenVerifierParts {
  /** Says why keys cannot be had. */
  readonly log?: Log;
  readonly stopping?: AbortSignal;
  readonly times?: TokenTimes | undefined;
  readonly host?: Host | undefined;
}

const MAX_TOKEN_LENGTH = 16_000;
const DAML_USER_CLAIM = "https://canton-network";

/** Rejects with `TokenRejected` where the token does not hold. */
export function createTokenVerifier(
  config: TokenVerifierConfig,
  parts: TokenVerifierParts = {},
): TokenVerifier {
  const verify = createSignatureVerifier(openTokenKeys(config, parts), parts);
  return async (token) => {
    const verified = await verify(token);
    if (!verified.audiences.includes(config.audience)) throw new TokenRejected("it has another audience");
    return verified;
  };
}

export function openTokenKeys(config: TokenKeysConfig, parts: TokenVerifierParts = {}): TokenKeys {
  if (config.kind === "hs256") {
    if (config.secret === "")
      throw new Error("the secret of tokens is empty: give one, or another kind of keys");
    parts.log?.warn({}, "tokens are checked with a shared secret, which is unsafe beyond one machine");
    return sharedSecret(config.secret);
  }
  const protocol = URL.parse(config.jwksUrl)?.protocol;
  if (protocol !== "https:" && protocol !== "http:") {
    throw new Error(
      `jwksUrl is the http or https address of a key set, not "${config.jwksUrl.slice(0, 200)}"`,
    );
  }
  return new RemoteKeySet(config.jwksUrl, parts);
}

/** Checks signature and times, and not the audience. */
export function createSignatureVerifier(
  keys: TokenKeys,
  { times = {}, host = systemHost }: Pick<TokenVerifierParts, "times" | "host"> = {},
): TokenVerifier {
  const cache = new TokenCache();
  const { wallMilliseconds } = host.clock;
  return async (token) => {
    const now = wallMilliseconds();
    const generation = keys.generation();
    const known = cache.find(token, now, generation);
    if (known !== undefined) return known;
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRejected("the token is too long");
    const key = await keys.find(readKeyId(token));
    const payload = await checkSignature(token, key.key, key.algorithm);
    const end = checkTimes(payload, times, wallMilliseconds());
    const verified = readClaims(payload, end);
    cache.keep(token, verified, { now, generation, end });
    return verified;
  };
}

/** Of the token's header nothing else is read: keys, addresses and algorithms that it may carry mean nothing. */
function readKeyId(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === "string" ? kid : undefined;
  } catch (error) {
    throw new TokenRejected("the token is not one", { cause: error });
  }
}

/** The library is left no judgement of time: it would know one leeway only. */
const NO_TIMES = { clockTolerance: Number.MAX_SAFE_INTEGER };

async function checkSignature(
  token: string,
  key: Parameters<typeof jwtVerify>[1],
  algorithm: string,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, { algorithms: [algorithm], ...NO_TIMES })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new TokenRejected(error.code, { cause: error });
    if (error instanceof TypeError) throw new TokenRejected("the token is not one", { cause: error });
    throw error;
  }
}

/** `end`: from when on it does not hold, in milliseconds. */
function readClaims({ sub, iss, aud, ...claims }: JWTPayload, end: number): VerifiedToken {
  const object = claims[DAML_USER_CLAIM];
  const user =
    typeof object === "object" && object !== null && "daml_user" in object ? object.daml_user : null;
  return {
    subject: typeof sub === "string" ? sub : null,
    damlUser: typeof user === "string" ? user : null,
    issuer: typeof iss === "string" ? iss : null,
    audiences: textsOf(aud),
    scopes: [...wordsOf(claims["scope"]), ...wordsOf(claims["scp"])],
    expiresAt: Number.isFinite(end) ? end / 1000 : null,
  };
}

function textsOf(claim: unknown): readonly string[] {
  return [claim].flat().filter((text) => typeof text === "string");
}

/** A list, or words in one text. */
function wordsOf(claim: unknown): readonly string[] {
  return textsOf(claim).flatMap((text) => text.split(" ").filter((word) => word !== ""));
}
