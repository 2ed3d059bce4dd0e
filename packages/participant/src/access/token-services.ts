/**
 * The services that verify tokens: those of the participant's configuration, in their order, for users of the default
 * identity provider; then the identity providers that were configured over the API, each for its own users.
 */
import { hash, timingSafeEqual } from "node:crypto";
import {
  BoundedMap,
  createSignatureVerifier,
  openTokenKeys,
  type TokenKeysConfig,
  TokenRejected,
  type TokenVerifier,
  type TokenVerifierParts,
} from "@callsign/node";
import { decodeJwt } from "jose/jwt/decode";
import { MAX_IDENTITY_PROVIDERS, MIN_ADMIN_TOKEN } from "../limits/limits.ts";
import type { IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { Privilege } from "./caller.ts";
import { readTokenAddress, type TokenAddress, type TokenTarget } from "./token-address.ts";

/** Keys, and the claims by which a token names this API. */
type JwtServiceConfig = TokenKeysConfig &
  TokenTarget & {
    /**
     * The privilege of every token with the audience or the scope, whatever its subject. Without it the rights are those
     * of the subject, a user of the participant.
     */
    readonly privilege?: Privilege;
  };

/** A fixed token for the operator's own tools: its holder is an admin. */
interface AdminTokenConfig {
  readonly kind: "admin-token";
  readonly token: string;
}

type TokenServiceConfig = JwtServiceConfig | AdminTokenConfig;

export interface AcceptedToken extends TokenAddress {
  /** Null only for a token whose subject does not matter. */
  readonly subject: string | null;
  readonly expiresAt: number | null;
  /** The identity provider of the token's subject; empty for the default one. */
  readonly identityProviderId: string;
  /** Null if the rights are the user's. */
  readonly privilege: Privilege | null;
}

/** For the log: the reason why one service does not accept a token. Another service may. */
export interface RejectedToken {
  readonly rejection: string;
}

export type TokenService = (token: string) => Promise<AcceptedToken | RejectedToken>;

/** No issuer that can be configured is longer, or has other characters. */
const ISSUER = /^\P{Cc}{1,4096}$/u;

/**
 * Authentication of callers: by a token that one of these services accepts, asked in this order, or one of the identity
 * providers that were configured over the API. `none` disables authentication: every caller may do everything.
 */
export type ParticipantAuth = TokenServiceConfig | readonly TokenServiceConfig[] | { readonly kind: "none" };

/** The services in the order in which they are asked; null if authentication is disabled. */
export function createTokenServices(
  auth: ParticipantAuth,
  providers: IdentityProviderStore,
  parts: TokenVerifierParts,
): readonly TokenService[] | null {
  const configs = "kind" in auth ? [auth] : auth;
  const services: TokenService[] = [];
  for (const config of configs) {
    if (config.kind === "none") {
      parts.log?.warn({}, "authentication is disabled: every caller may do everything");
      return null;
    }
    services.push(createConfiguredService(config, parts));
  }
  return [...services, createIdentityProviderService(providers, parts)];
}

function createConfiguredService(config: TokenServiceConfig, parts: TokenVerifierParts): TokenService {
  if (config.kind === "admin-token") return createAdminTokenService(config.token);
  const { privilege = null, audience, scope } = config;
  if (privilege !== null && audience === undefined && scope === undefined) {
    throw new Error("a service whose tokens are privileged needs an audience or a scope that they must have");
  }
  const verify = createSignatureVerifier(openTokenKeys(config, parts), parts);
  return (token) => accept(verify, token, { target: config, identityProviderId: "", privilege });
}

function createAdminTokenService(adminToken: string): TokenService {
  if (adminToken.length < MIN_ADMIN_TOKEN) {
    throw new Error(`an admin token has at least ${MIN_ADMIN_TOKEN} characters, not ${adminToken.length}`);
  }
  const accepted = {
    subject: null,
    expiresAt: null,
    participantId: null,
    identityProviderId: "",
    privilege: "admin",
  } as const;
  const expected = digest(adminToken);
  // Digests have equal lengths, and comparing them takes constant time.
  return async (token) => (timingSafeEqual(digest(token), expected) ? accepted : NOT_ADMIN);
}

const NOT_ADMIN: RejectedToken = { rejection: "it is not the admin token" };

function digest(text: string): Uint8Array {
  return hash("sha256", text, "buffer");
}

/** Reads the store for each token, so that a change of an identity provider holds for the next call. */
function createIdentityProviderService(
  providers: IdentityProviderStore,
  parts: TokenVerifierParts,
): TokenService {
  const verifiers = new BoundedMap<string, TokenVerifier>({ limit: 2 * MAX_IDENTITY_PROVIDERS });
  const verifierFor = (jwksUrl: string): TokenVerifier => {
    const known = verifiers.get(jwksUrl);
    if (known !== undefined) return known;
    const made = createSignatureVerifier(openTokenKeys({ kind: "jwks", jwksUrl }, parts), parts);
    verifiers.set(jwksUrl, made);
    return made;
  };
  return async (token) => {
    const issuer = readIssuer(token);
    if (issuer === undefined) return { rejection: "it names no issuer" };
    const config = await providers.findByIssuer(issuer);
    if (config === undefined) return { rejection: "no identity provider has its issuer" };
    if (config.isDeactivated) return { rejection: "the identity provider of its issuer is deactivated" };
    const { identityProviderId, audience, jwksUrl } = config;
    const target = audience === "" ? {} : { audience };
    return accept(verifierFor(jwksUrl), token, { target, identityProviderId, privilege: null });
  };
}

async function accept(
  verify: TokenVerifier,
  token: string,
  {
    target,
    ...owner
  }: Pick<AcceptedToken, "identityProviderId" | "privilege"> & { readonly target: TokenTarget },
): Promise<AcceptedToken | RejectedToken> {
  try {
    const verified = await verify(token);
    const address = readTokenAddress(verified, target);
    const { subject, expiresAt } = verified;
    if (address === null) return { rejection: "its audience or scope is not that of this API" };
    return subject === null
      ? { rejection: "it names no user" }
      : { ...address, ...owner, subject, expiresAt };
  } catch (error) {
    if (error instanceof TokenRejected) return { rejection: error.message };
    throw error;
  }
}

/** The unverified issuer of the token, which selects the keys to verify it with. */
function readIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === "string" && ISSUER.test(iss) ? iss : undefined;
  } catch {
    return undefined;
  }
}
