/** Verifies tokens. Keys, times and audience come from configuration alone, and the algorithm from the key. */
import type { JWTPayload } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import { JOSEError } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { RemoteKeySet } from "./remote-key-set.ts";
import { TokenCache } from "./token-cache.ts";
import { sharedSecret, type TokenKeys } from "./token-keys.ts";
import { checkTimes, type TokenTimes } from "./token-times.ts";
import { TokenRejected, type TokenVerifier, type VerifiedToken } from "./verified-token.ts";

/** A shared secret, for networks on one machine. Unsafe beyond: a reader that can check a token can also make one. */
interface SharedSecretKeys {
  readonly kind: "hs256";
  readonly secret: string;
}

/** Public keys behind an address: RSA keys for RS256, EC keys on P-256 for ES256, on P-521 for ES512. */
interface KeySetKeys {
  readonly kind: "jwks";
  readonly jwksUrl: string;
  /** The time for a connection. Both times are ten seconds if omitted. */
  readonly connectionTimeoutMilliseconds?: number;
  /** The time for an answer that has not come or does not go on. */
  readonly readTimeoutMilliseconds?: number;
}

export type TokenKeysConfig = SharedSecretKeys | KeySetKeys;

/** The token's `aud` must contain the audience. */
export type TokenVerifierConfig = TokenKeysConfig & { readonly audience: string };

export interface TokenVerifierParts {
  /** Gets the reasons why keys cannot be fetched. */
  readonly log?: Log;
  readonly stopping?: AbortSignal;
  readonly times?: TokenTimes | undefined;
  readonly host: Host;
}

const MAX_TOKEN_LENGTH = 16_000;
const DAML_USER_CLAIM = "https://canton-network";

/** Token services are asked in this order; a token that one of them accepts is valid. */
export type TokenVerifierConfigs = TokenVerifierConfig | readonly TokenVerifierConfig[];

/** The verifier rejects with `TokenRejected` if a token is not valid. */
export function createTokenVerifier(configs: TokenVerifierConfigs, parts: TokenVerifierParts): TokenVerifier {
  const [first, ...others] = [configs].flat().map((config) => createSingleVerifier(config, parts));
  if (first === undefined) throw new Error("a token verifier needs at least one token service");
  return others.reduce(eitherOf, first);
}

function eitherOf(first: TokenVerifier, second: TokenVerifier): TokenVerifier {
  const verify = async (token: string) => {
    try {
      return await first(token);
    } catch (error) {
      if (!(error instanceof TokenRejected)) throw error;
      const because = (other: unknown) => {
        if (!(other instanceof TokenRejected)) throw other;
        throw new TokenRejected(`${error.message}; ${other.message}`, { cause: other });
      };
      return await second(token).catch(because);
    }
  };
  const findCached = (token: string) => first.findCached(token) ?? second.findCached(token);
  return Object.assign(verify, { findCached });
}

function createSingleVerifier(config: TokenVerifierConfig, parts: TokenVerifierParts): TokenVerifier {
  const verifySignature = createSignatureVerifier(openTokenKeys(config, parts), parts);
  const isMeant = ({ audiences }: VerifiedToken) => audiences.includes(config.audience);
  const verify = async (token: string) => {
    const verified = await verifySignature(token);
    if (!isMeant(verified)) throw new TokenRejected("it has another audience");
    return verified;
  };
  const findCached = (token: string) => {
    const known = verifySignature.findCached(token);
    return known !== undefined && isMeant(known) ? known : undefined;
  };
  return Object.assign(verify, { findCached });
}

export function openTokenKeys(config: TokenKeysConfig, parts: TokenVerifierParts): TokenKeys {
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
  return new RemoteKeySet(config.jwksUrl, { ...config, ...parts });
}

/** Checks signature and times, and not the audience. */
export function createSignatureVerifier(
  keys: TokenKeys,
  { times = {}, host }: Pick<TokenVerifierParts, "times" | "host">,
): TokenVerifier {
  const cache = new TokenCache();
  const { wallMilliseconds } = host.clock;
  const findCached = (token: string) => cache.find(token, wallMilliseconds(), keys.generation());
  const verify = async (token: string) => {
    const known = findCached(token);
    if (known !== undefined) return known;
    const now = wallMilliseconds();
    const generation = keys.generation();
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRejected("the token is too long");
    const key = await keys.find(readKeyId(token));
    const payload = await checkSignature(token, key.key, key.algorithm);
    const end = checkTimes(payload, times, wallMilliseconds());
    const verified = readClaims(payload, end);
    cache.keep(token, verified, { now, generation, end });
    return verified;
  };
  return Object.assign(verify, { findCached });
}

/** The key id is all that is read of the token's header: its keys, addresses and algorithms are ignored. */
function readKeyId(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === "string" ? kid : undefined;
  } catch (error) {
    throw new TokenRejected("the token is not one", { cause: error });
  }
}

/** The library checks no times: it knows only one leeway for all claims. */
const NO_TIMES = { clockTolerance: Number.MAX_SAFE_INTEGER };

async function checkSignature(
  token: string,
  key: Parameters<typeof jwtVerify>[1],
  algorithm: string,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, { algorithms: [algorithm], ...NO_TIMES })).payload;
  } catch (error) {
    if (error instanceof JOSEError) throw new TokenRejected(error.code, { cause: error });
    if (error instanceof TypeError) throw new TokenRejected("the token is not one", { cause: error });
    throw error;
  }
}

/** `end`: of its validity, in milliseconds since 1970. */
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

/** A claim that is a list of words, or words in one text. */
function wordsOf(claim: unknown): readonly string[] {
  return textsOf(claim).flatMap((text) => text.split(" ").filter((word) => word !== ""));
}
