/** A real OpenID provider on loopback, which gives tokens to applications that show their secret. */
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { errors, Provider } from "oidc-provider";
import { vi } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";

export interface OpenIdProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly port: number;
  readonly wellKnownUrl: string;
  /** Counts the requests for tokens. */
  readonly asked: () => number;
  /** An access token for a resource, by client credentials. */
  readonly token: (client: string, resource: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Clients that show their secret in the Authorization header. */
const CLIENTS = ["backend", "worker"];
/** A client that shows its secret in the form, and asks for an audience. Its tokens name the user `validator@clients`. */
export const VALIDATOR_CLIENT = "validator";
/** An audience, how its tokens are signed, and for how many seconds they hold. */
export interface Resource {
  readonly audience: string;
  readonly alg: "RS256" | "ES256";
  readonly seconds: number;
}

export async function newPrivateKeys(): Promise<readonly JWK[]> {
  return Promise.all(
    (["RS256", "ES256"] as const).map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: "sig", alg };
    }),
  );
}

export async function startOpenIdProvider(
  options: {
    readonly host?: string;
    readonly port?: number;
    readonly keys: readonly JWK[];
    readonly resources: Readonly<Record<string, Resource>>;
  },
  atEnd: AtEnd,
): Promise<OpenIdProvider> {
  let asked = 0;
  const {
    url: issuer,
    port,
    close,
  } = await listen(
    (request, response) => {
      if (request.url === "/token") asked++;
      handle(request, response);
    },
    options.port,
    options.host,
  );
  const handle = quietly(() => newProvider(issuer, options)).callback();
  atEnd(close);
  const token = (client: string, resource: string) => askToken(issuer, client, resource);
  const wellKnownUrl = `${issuer}/.well-known/openid-configuration`;
  return { issuer, jwksUrl: `${issuer}/jwks`, wellKnownUrl, port, asked: () => asked, token, close };
}

function newProvider(
  issuer: string,
  {
    keys,
    resources,
  }: { readonly keys: readonly JWK[]; readonly resources: Readonly<Record<string, Resource>> },
): Provider {
  return new Provider(issuer, {
    jwks: { keys },
    ttl: {
      ClientCredentials: (_context: unknown, token: { resourceServer: { accessTokenTTL: number } }) =>
        token.resourceServer.accessTokenTTL,
    },
    clients: [...CLIENTS, VALIDATOR_CLIENT].map((client) => ({
      client_id: client,
      client_secret: secretOf(client),
      token_endpoint_auth_method: client === VALIDATOR_CLIENT ? "client_secret_post" : "client_secret_basic",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    formats: {
      customizers: {
        jwt: (_context: unknown, _token: unknown, { payload }: { payload: { sub: string } }) => {
          if (payload.sub === VALIDATOR_CLIENT) payload.sub = `${VALIDATOR_CLIENT}@clients`;
        },
      },
    },
    scopes: ["daml_ledger_api"],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // Some providers know the parameter `audience` in place of `resource`.
        defaultResource: ({ oidc }: { oidc: { body?: { audience?: string } } }) => oidc.body?.audience,
        getResourceServerInfo: (_context: unknown, indicator: string) => {
          const resource = resources[indicator];
          if (resource === undefined) throw new errors.InvalidTarget(`no such resource: ${indicator}`);
          return {
            scope: "daml_ledger_api",
            audience: resource.audience,
            accessTokenTTL: resource.seconds,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: resource.alg } },
          };
        },
      },
    },
  });
}

/** The provider warns that it runs without TLS and without storage: both are intended. */
function quietly<T>(work: () => T): T {
  const spies = [vi.spyOn(console, "info"), vi.spyOn(console, "warn")];
  for (const spy of spies) spy.mockImplementation(() => undefined);
  try {
    return work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

export function secretOf(client: string): string {
  return `${client}'s secret`;
}

async function askToken(issuer: string, client: string, resource: string): Promise<string> {
  const credentials = [client, secretOf(client)].map(encodeURIComponent).join(":");
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      // Another provider may listen on this port a moment later.
      connection: "close",
    },
    body: new URLSearchParams({ grant_type: "client_credentials", resource, scope: "daml_ledger_api" }),
  });
  const body = (await response.json()) as { readonly access_token?: string };
  if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
  return body.access_token;
}
