/** The library's OpenID provider, as the local network needs it: code with PKCE, public clients, no consent. */
import type { Clock } from "@callsign/node";
import { errors, interactionPolicy, Provider } from "oidc-provider";
import type { NodeName } from "../ports.ts";
import { TOKEN_AUDIENCE } from "../tokens.ts";
import type { LoginClient } from "./login-clients.ts";
import { renderLoginFailure } from "./login-page.ts";
import { createLoginRecords } from "./login-records.ts";

const TOKEN_SECONDS = 10 * 60;
const SESSION_SECONDS = 8 * 60 * 60;
const LOGIN_SECONDS = 10 * 60;
const LEDGER_SCOPE = "daml_ledger_api";

export interface ProviderParts {
  readonly issuer: string;
  /** Of RSA, with its id. */
  readonly privateKey: object;
  readonly cookieSecret: string;
  readonly clients: readonly LoginClient[];
  readonly clock: Clock;
}

interface Context {
  type: string;
  body: unknown;
  readonly set: (headers: Readonly<Record<string, string>>) => void;
  readonly oidc: {
    readonly provider: { readonly Grant: new (owner: object) => Grant };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

interface Grant {
  readonly addOIDCScope: (scope: string) => void;
  readonly addResourceScope: (resource: string, scope: string) => void;
  readonly save: () => Promise<unknown>;
}

interface RegisteredClient {
  readonly redirectUris: readonly string[];
}

export function createProvider(parts: ProviderParts): Provider {
  const { issuer, privateKey, cookieSecret, clients, clock } = parts;
  const { port } = new URL(issuer);
  const nodeOf = (clientId: string) => clients.find(({ id }) => id === clientId)?.node;
  return new Provider(issuer, {
    adapter: createLoginRecords(clock.wallMilliseconds),
    jwks: { keys: [privateKey] },
    clients: clients.map(({ id, redirectAddress }) => ({
      client_id: id,
      redirect_uris: [redirectAddress],
      subject_type: "pairwise",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    })),
    // Browsers send cookies to every port of a host: another network's must not be taken for this one's.
    cookies: {
      keys: [cookieSecret],
      names: { session: `session_${port}`, interaction: `login_${port}`, resume: `resume_${port}` },
    },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", LEDGER_SCOPE],
    claims: { openid: ["sub"] },
    ttl: {
      ...{ AccessToken: TOKEN_SECONDS, IdToken: TOKEN_SECONDS, AuthorizationCode: 60 },
      ...{ RefreshToken: SESSION_SECONDS, Grant: SESSION_SECONDS, Session: SESSION_SECONDS },
      Interaction: LOGIN_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: { enabled: true, ...RESOURCE },
    },
    issueRefreshToken: () => true,
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) => `/login/${uid}`,
      policy: createPolicy(nodeOf),
    },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: readAccount(id).user }),
    }),
    subjectTypes: ["pairwise"],
    pairwiseIdentifier: (_: unknown, account: string) => readAccount(account).user,
    loadExistingGrant: grantEverything,
    clientBasedCORS: (_: unknown, origin: string, { redirectUris }: RegisteredClient) =>
      redirectUris.some((address) => new URL(address).origin === origin),
    renderError: (context: Context, { error, error_description = error }: Record<string, string>) => {
      const { headers, body } = renderLoginFailure(400, error_description ?? "");
      context.set(headers);
      context.body = body;
    },
  });
}

/** Every token is for the network's APIs, whether or not the page says so. */
const RESOURCE = {
  defaultResource: () => TOKEN_AUDIENCE,
  useGrantedResource: () => true,
  getResourceServerInfo: (_: unknown, indicator: string) => {
    if (indicator !== TOKEN_AUDIENCE)
      throw new errors.InvalidTarget(`tokens are given for ${TOKEN_AUDIENCE} alone`);
    return {
      scope: LEDGER_SCOPE,
      audience: TOKEN_AUDIENCE,
      accessTokenTTL: TOKEN_SECONDS,
      accessTokenFormat: "jwt",
      jwt: { sign: { alg: "RS256" } },
    };
  },
};

/** A browser that has logged in at one node is asked again by the pages of another, which has other users. */
function createPolicy(nodeOf: (clientId: string) => NodeName | undefined) {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const isElsewhere = new Check("node", "the user is one of another node", "login_required", ({ oidc }) => {
    const { accountId } = oidc.session;
    return accountId !== undefined && readAccount(accountId).node !== nodeOf(oidc.client.clientId);
  });
  policy.get("login").checks.add(isElsewhere);
  return policy;
}

/** Sessions keep the user with the node: users of two nodes may have one name. */
export function loginAccountOf(node: NodeName, user: string): string {
  return `${node}/${user}`;
}

function readAccount(account: string): { readonly node: string; readonly user: string } {
  const slash = account.indexOf("/");
  return { node: account.slice(0, slash), user: account.slice(slash + 1) };
}

/** Everything runs on the user's own machine: nobody is asked for consent. */
async function grantEverything({ oidc }: Context): Promise<Grant> {
  const { provider, client, session } = oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(TOKEN_AUDIENCE, LEDGER_SCOPE);
  await grant.save();
  return grant;
}

/** True if the browser has no login under way. */
export function isLoginMissing(error: unknown): boolean {
  return error instanceof errors.SessionNotFound;
}
