/** The OpenID provider: authorization code with PKCE, asked for by the page itself. Loaded with the first login. */
import type { WebLogin } from "@callsign/api";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { isOnLoopback } from "../browser/loopback.ts";
import { abortAfter } from "../browser/page-host.ts";
import { keepPendingLogin, type PendingLogin } from "./pending-login.ts";
import type { Tokens } from "./session.ts";

const PATIENCE_MILLISECONDS = 15_000;

/** As Splice's applications have it: the page's origin. */
function redirectUri(): string {
  return `${location.origin}/`;
}

function requestOptions(login: WebLogin) {
  return {
    // A provider on the user's own machine may speak plain HTTP, and no other.
    [allowInsecureRequests]: isOnLoopback(login.authority),
    signal: () => abortAfter(PATIENCE_MILLISECONDS, undefined),
  };
}

async function discover(login: WebLogin): Promise<AuthorizationServer> {
  const issuer = new URL(login.authority);
  return processDiscoveryResponse(issuer, await discoveryRequest(issuer, requestOptions(login)));
}

function clientOf(login: WebLogin): Client {
  return { client_id: login.clientId };
}

export interface LoginWish {
  readonly wayBack: string;
  /** `login` lets the user choose who to be; `none` asks without showing anything. */
  readonly prompt: "login" | "none";
}

/** Leaves the page. */
export async function leaveForProvider(login: WebLogin, { wayBack, prompt }: LoginWish): Promise<void> {
  const server = await discover(login);
  if (server.authorization_endpoint === undefined) {
    throw new Error(`${login.authority} names no authorization endpoint`);
  }
  const [verifier, nonce, state] = [
    generateRandomCodeVerifier(),
    generateRandomNonce(),
    generateRandomState(),
  ];
  keepPendingLogin(state, { verifier, nonce, wayBack });
  const target = new URL(server.authorization_endpoint);
  const query = {
    response_type: "code",
    client_id: login.clientId,
    redirect_uri: redirectUri(),
    scope: login.scope,
    ...(login.audience === null ? {} : { audience: login.audience }),
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    nonce,
    state,
    prompt,
  };
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  location.assign(target);
}

/** The tokens for the code that the provider sent the user back with. */
export async function redeemCode(
  login: WebLogin,
  query: URLSearchParams,
  state: string,
  pending: PendingLogin,
): Promise<Tokens> {
  const server = await discover(login);
  const client = clientOf(login);
  const checked = validateAuthResponse(server, client, query, state);
  const answer = await authorizationCodeGrantRequest(
    server,
    client,
    None(),
    checked,
    redirectUri(),
    pending.verifier,
    requestOptions(login),
  );
  const result = await processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  });
  return readTokens(result, null);
}

export async function refreshTokens(login: WebLogin, previous: Tokens): Promise<Tokens> {
  if (previous.refreshToken === null) throw new Error("The provider gave no refresh token.");
  const server = await discover(login);
  const client = clientOf(login);
  const answer = await refreshTokenGrantRequest(
    server,
    client,
    None(),
    previous.refreshToken,
    requestOptions(login),
  );
  return readTokens(await processRefreshTokenResponse(server, client, answer), previous);
}

function readTokens(result: TokenEndpointResponse, previous: Tokens | null): Tokens {
  const claims = getValidatedIdTokenClaims(result);
  return {
    accessToken: result.access_token,
    refreshToken: result.refresh_token ?? previous?.refreshToken ?? null,
    user: claims?.sub ?? previous?.user ?? "",
    lifetimeSeconds: result.expires_in ?? null,
  };
}
