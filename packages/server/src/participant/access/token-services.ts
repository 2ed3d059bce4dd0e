/**
 * Who believes a token: the services of the participant's configuration, in their order, for users of the default
 * identity provider; then the identity providers that were made known over the API, each for its own users.
 */
import { decodeJwt } from "jose";
import {
  createSignatureVerifier,
  openTokenKeys,
  type TokenKeysConfig,
  type TokenVerifierParts,
} from "../../auth/token-verifier.ts";
import { TokenRejected, type TokenVerifier, type VerifiedToken } from "../../auth/verified-token.ts";
import { type IdentityProviderStore, MAX_IDENTITY_PROVIDERS } from "../store/identity-provider-store.ts";
import { readTokenAddress, type TokenAddress, type TokenTarget } from "./token-address.ts";

/** Keys, and how a token says that it is meant for this API. */
export type TokenServiceConfig = TokenKeysConfig & TokenTarget;

export interface AcceptedToken extends TokenAddress {
  readonly verified: VerifiedToken;
  /** Whose user the token's subject is; empty for the default one. */
  readonly identityProviderId: string;
}

/** Undefined: the service does not believe the token; another may. */
export type TokenService = (token: string) => Promise<AcceptedToken | undefined>;

/** No issuer that can be configured is longer, or has other characters. */
const ISSUER = /^\P{Cc}{1,4096}$/u;

/**
 * How callers prove who they are: by a token that one of the services believes, asked in this order, or else one of
 * the identity providers that were made known over the API. `none`: nobody has to, and everybody may do everything.
 */
export type ParticipantAuth = TokenServiceConfig | readonly TokenServiceConfig[] | { readonly kind: "none" };

/** In the order in which they are asked; null where no token is needed. */
export function createTokenServices(
  auth: ParticipantAuth,
  providers: IdentityProviderStore,
  parts: TokenVerifierParts,
): readonly TokenService[] | null {
  const configs = "kind" in auth ? [auth] : auth;
  const services: TokenService[] = [];
  for (const config of configs) {
    if (config.kind === "none") return null;
    services.push(createConfiguredService(config, parts));
  }
  return [...services, createIdentityProviderService(providers, parts)];
}

function createConfiguredService(config: TokenServiceConfig, parts: TokenVerifierParts): TokenService {
  const verify = createSignatureVerifier(openTokenKeys(config, parts), parts.times);
  return (token) => accept(verify, token, { target: config, identityProviderId: "" });
}

/** The store is asked each time, so that what is changed, deactivated or forgotten there holds for the next call. */
function createIdentityProviderService(
  providers: IdentityProviderStore,
  parts: TokenVerifierParts,
): TokenService {
  const verifiers = new Map<string, TokenVerifier>();
  const verifierFor = (jwksUrl: string): TokenVerifier => {
    const known = verifiers.get(jwksUrl);
    if (known !== undefined) return known;
    const [oldest] = verifiers.keys();
    if (verifiers.size >= 2 * MAX_IDENTITY_PROVIDERS && oldest !== undefined) verifiers.delete(oldest);
    const made = createSignatureVerifier(openTokenKeys({ kind: "jwks", jwksUrl }, parts), parts.times);
    verifiers.set(jwksUrl, made);
    return made;
  };
  return async (token) => {
    const issuer = readIssuer(token);
    const config = issuer === undefined ? undefined : await providers.findByIssuer(issuer);
    if (config === undefined || config.isDeactivated) return undefined;
    const { identityProviderId, audience, jwksUrl } = config;
    const target = audience === "" ? {} : { audience };
    return accept(verifierFor(jwksUrl), token, { target, identityProviderId });
  };
}

async function accept(
  verify: TokenVerifier,
  token: string,
  { target, identityProviderId }: { readonly target: TokenTarget; readonly identityProviderId: string },
): Promise<AcceptedToken | undefined> {
  try {
    const verified = await verify(token);
    const address = readTokenAddress(verified, target);
    return address === null ? undefined : { ...address, verified, identityProviderId };
  } catch (error) {
    if (error instanceof TokenRejected) return undefined;
    throw error;
  }
}

/** What the token says of itself: it only chooses whose keys it is held against. */
function readIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === "string" && ISSUER.test(iss) ? iss : undefined;
  } catch {
    return undefined;
  }
}
