/** One exchange with an OpenID provider: its discovery document, and a token for a client's secret. */
import { parseJsonText } from "@callsign/api";
import { decodeJwt } from "jose/jwt/decode";
import type { HttpClient } from "../host/host.ts";
import { type FetchLimits, fetchText } from "../http-client/fetch-text.ts";

export interface ClientCredentials {
  /** The provider's discovery document, `…/.well-known/openid-configuration`. */
  readonly wellKnownUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  readonly scope?: string;
}

/** There is no token now. The text names the URL and the cause, and no secret. */
export class TokenUnavailable extends Error {
  override readonly name = "TokenUnavailable";
}

export interface FetchedToken {
  readonly token: string;
  /** Infinity if it does not say. */
  readonly lifetimeMilliseconds: number;
  /** The claims `sub` and `aud`; undefined for a token that cannot be read. */
  readonly claims:
    | { readonly subject: string | undefined; readonly audiences: readonly string[] }
    | undefined;
}

const MAX_TOKEN_LENGTH = 16_000;

/** The address at which the provider gives tokens. */
export async function discoverTokenEndpoint(
  client: HttpClient,
  { wellKnownUrl }: ClientCredentials,
  limits: FetchLimits,
): Promise<string> {
  const where = `the OpenID configuration ${wellKnownUrl}`;
  const { status, text } = await ask(where, () => fetchText(client, wellKnownUrl, {}, limits));
  if (status !== 200) throw new TokenUnavailable(`${where} answers with status ${status}`);
  const endpoint = parseObject(text)?.["token_endpoint"];
  if (typeof endpoint !== "string") throw new TokenUnavailable(`${where} is no JSON with a token_endpoint`);
  const url = URL.parse(endpoint);
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw new TokenUnavailable(`${where} has a token_endpoint that is no http or https URL`);
  if (url.protocol === "http:" && URL.parse(wellKnownUrl)?.protocol === "https:")
    throw new TokenUnavailable(
      `${where} has the token_endpoint ${url.href}: the secret is not sent without TLS`,
    );
  return url.href;
}

export async function fetchToken(
  client: HttpClient,
  endpoint: string,
  { clientId, clientSecret, audience, scope = "" }: ClientCredentials,
  limits: FetchLimits,
): Promise<FetchedToken> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    audience,
    ...(scope === "" ? {} : { scope }),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const init = { method: "POST", headers, body: form.toString() };
  const where = `the token endpoint ${endpoint}`;
  const { status, text } = await ask(where, () => fetchText(client, endpoint, init, limits));
  const answer = parseObject(text);
  if (status < 200 || status > 299) {
    const said = [answer?.["error"], answer?.["error_description"]].filter(
      (part) => typeof part === "string",
    );
    const reason = said.join(": ").replaceAll(clientSecret, "***").slice(0, 300);
    throw new TokenUnavailable(
      `${where} answers with status ${status} for the client "${clientId}" and the audience "${audience}"${reason === "" ? "" : `: ${reason}`}`,
    );
  }
  const { access_token: token, token_type: type = "bearer", expires_in: seconds } = answer ?? {};
  if (typeof token !== "string" || !/^\S+$/.test(token) || token.length > MAX_TOKEN_LENGTH)
    throw new TokenUnavailable(`${where} answers without an access_token`);
  if (String(type).toLowerCase() !== "bearer")
    throw new TokenUnavailable(`${where} answers with a token of another type than Bearer`);
  return { token, ...readToken(token, Number(seconds ?? Number.NaN), limits) };
}

/** The answer says how long the token lasts, or the token itself. */
function readToken(token: string, seconds: number, { host }: FetchLimits): Omit<FetchedToken, "token"> {
  try {
    const { sub, aud = [], exp } = decodeJwt(token);
    const untilExpiry =
      exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000 - host.clock.wallMilliseconds();
    return {
      lifetimeMilliseconds: seconds > 0 ? seconds * 1000 : untilExpiry,
      claims: { subject: sub, audiences: [aud].flat() },
    };
  } catch {
    return {
      lifetimeMilliseconds: seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY,
      claims: undefined,
    };
  }
}

async function ask<T>(where: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw new TokenUnavailable(`${where} does not answer: ${reason.slice(0, 500)}`, { cause: error });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = parseJsonText(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
