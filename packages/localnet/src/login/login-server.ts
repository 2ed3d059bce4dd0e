/**
 * The login of the local network: an OpenID provider on a port of its own, whose page lets the user choose among the
 * users of a node. The library is loaded with the first login. The public key is served without it, since the network's
 * parts ask for it whenever they see a token that LocalNet's secret has not signed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createClient, ledgerApi, percentDecode } from "@callsign/api";
import { type Host, type Log, listen } from "@callsign/node";
import type { Provider } from "oidc-provider";
import { GATEWAY_MILLISECONDS, MAX_GATEWAY_CONNECTIONS, MAX_LISTED_USERS } from "../limits.ts";
import { ADDRESS, type NodeName } from "../ports.ts";
import { NODE_SETTINGS, SERVICE_USER } from "../tokens.ts";
import { listLoginClients } from "./login-clients.ts";
import { createLoginKey, type LoginKey } from "./login-key.ts";
import {
  type LoginAnswer,
  type LoginUser,
  renderLoginFailure,
  renderLoginPage,
  STYLE_ANSWER,
  STYLE_PATH,
} from "./login-page.ts";

export interface LoginServer {
  /** The issuer of its tokens. */
  readonly authority: string;
  readonly jwksUrl: string;
  readonly close: () => Promise<void>;
}

export interface LoginParts {
  readonly host: Host;
  readonly log: Log;
  readonly serviceToken: string;
  /** Known once the nodes have started. */
  readonly nodes: () => Readonly<
    Record<NodeName, { readonly ledgerUrl: string; readonly gatewayUrl: string }>
  >;
}

/** The first administrator of every participant. */
const PARTICIPANT_ADMINISTRATOR = "participant_admin";
const KEYS_PATH = "/jwks";
const LOGIN = /^\/login\/([\w-]{1,100})(?:\/([^/]{1,400}))?$/;

export async function startLoginServer(port: number, parts: LoginParts): Promise<LoginServer> {
  const { http } = parts.host;
  const server = http.createServer({});
  server.maxConnections = MAX_GATEWAY_CONNECTIONS;
  server.requestTimeout = GATEWAY_MILLISECONDS;
  const { url: authority } = await listen(server, ADDRESS, port);
  const login = new Login(authority, parts);
  server.on("request", (request, response) => {
    login.answer(request, response).catch((error: unknown) => {
      parts.log.error({ error: error instanceof Error ? error.stack : error }, "login failed");
      write(response, renderLoginFailure(500, "The login page failed. The log of the network says why."));
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      login.close();
    });
  return { authority, jwksUrl: authority + KEYS_PATH, close };
}

class Login {
  readonly #authority: string;
  readonly #parts: LoginParts;
  readonly #client: ReturnType<Host["http"]["openClient"]>;
  #key: Promise<LoginKey> | undefined;
  #provider: Promise<LoadedProvider> | undefined;

  constructor(authority: string, parts: LoginParts) {
    this.#authority = authority;
    this.#parts = parts;
    this.#client = parts.host.http.openClient();
  }

  close(): void {
    this.#client.close();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "/", headers } = request;
    // A foreign name may have been made to point to this machine.
    if (`http://${headers.host}` !== this.#authority)
      return void write(response, renderLoginFailure(403, `This login answers at ${this.#authority} alone.`));
    const path = url.split("?", 1)[0] ?? "/";
    if (method === "GET" && path === KEYS_PATH) {
      const { publicKeys } = await this.#useKey();
      const open = { "content-type": "application/json", "access-control-allow-origin": "*" };
      return void write(response, { status: 200, headers: open, body: publicKeys });
    }
    if (method === "GET" && path === STYLE_PATH) return void write(response, STYLE_ANSWER);
    const [, id, user] = LOGIN.exec(path) ?? [];
    if (id === undefined) return void (await this.#use()).handle(request, response);
    if (method === "GET" && user === undefined) return void (await this.#ask(request, response, path));
    if (method === "POST" && user !== undefined) return void (await this.#enter(request, response, user));
    write(response, renderLoginFailure(405, `${method} is not allowed at ${path.slice(0, 100)}.`));
  }

  async #ask(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const asked = await this.#findLogin(request, response);
    if (asked === null) return void write(response, EXPIRED);
    const { node, origin } = asked;
    write(
      response,
      renderLoginPage({ path, node, users: describeUsers(node, await this.#listUsers(node)), origin }),
    );
  }

  async #enter(request: IncomingMessage, response: ServerResponse, encoded: string): Promise<void> {
    const asked = await this.#findLogin(request, response);
    if (asked === null) return void write(response, EXPIRED);
    const user = percentDecode(encoded) ?? "";
    const users = await this.#listUsers(asked.node);
    if (!users.includes(user))
      return void write(response, renderLoginFailure(400, `The node ${asked.node} has no user ${user}.`));
    const { provider, loginAccountOf } = await this.#use();
    const result = { login: { accountId: loginAccountOf(asked.node, user) } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  /** The login that the browser's cookie belongs to; null if there is none. */
  async #findLogin(request: IncomingMessage, response: ServerResponse) {
    const { provider, isLoginMissing, nodeOf } = await this.#use();
    try {
      const { params } = await provider.interactionDetails(request, response);
      return { node: nodeOf(params.client_id), origin: new URL(params.redirect_uri).origin };
    } catch (error) {
      if (isLoginMissing(error)) return null;
      throw error;
    }
  }

  /** Users whose tokens name them: those of other identity providers log in elsewhere. */
  async #listUsers(node: NodeName): Promise<readonly string[]> {
    const { serviceToken, nodes, host } = this.#parts;
    const { fetch } = this.#client;
    const options = {
      fetch,
      timers: host.timers,
      baseUrl: nodes()[node].ledgerUrl,
      token: () => serviceToken,
    };
    const { users } = await createClient(ledgerApi, options).listUsers({
      query: { pageSize: MAX_LISTED_USERS },
    });
    return users.filter(({ isDeactivated }) => isDeactivated !== true).map(({ id }) => id);
  }

  #useKey(): Promise<LoginKey> {
    this.#key ??= createLoginKey(this.#parts.host.randomness);
    return this.#key;
  }

  #use(): Promise<LoadedProvider> {
    this.#provider ??= this.#load();
    return this.#provider;
  }

  async #load(): Promise<LoadedProvider> {
    const { host, nodes, log } = this.#parts;
    const { createProvider, loginAccountOf, isLoginMissing } = await importQuietly();
    const { privateKey } = await this.#useKey();
    const ports = Object.fromEntries(
      Object.entries(nodes()).map(([name, { gatewayUrl }]) => [name, Number(new URL(gatewayUrl).port)]),
    );
    const clients = listLoginClients(ports as Readonly<Record<NodeName, number>>);
    const provider = createProvider({
      ...{ issuer: this.#authority, privateKey, clients, clock: host.clock },
      cookieSecret: Buffer.from(host.randomness.bytes(32)).toString("base64url"),
    });
    log.info({ authority: this.#authority }, "login provider is loaded");
    const nodeOf = (clientId: string) => clients.find(({ id }) => id === clientId)?.node ?? "app-user";
    return { provider, handle: provider.callback(), nodeOf, loginAccountOf, isLoginMissing };
  }
}

/** The owner of the node's wallet first. */
function describeUsers(node: NodeName, ids: readonly string[]): readonly LoginUser[] {
  const { walletUser } = NODE_SETTINGS[node];
  const purposes: ReadonlyMap<string, string> = new Map([
    [walletUser, "a person with a wallet, who buys names and sends coin"],
    [SERVICE_USER, "runs the validator: secrets, automations, users"],
    [PARTICIPANT_ADMINISTRATOR, "administers the participant of the JSON Ledger API"],
  ]);
  const sorted = [...ids].sort((a, b) => Number(b === walletUser) - Number(a === walletUser));
  return sorted.map((id) => ({ id, purpose: purposes.get(id) ?? null }));
}

interface LoadedProvider {
  readonly provider: Provider;
  readonly handle: ReturnType<Provider["callback"]>;
  readonly nodeOf: (clientId: string) => NodeName;
  readonly loginAccountOf: (node: NodeName, user: string) => string;
  readonly isLoginMissing: (error: unknown) => boolean;
}

/** The library warns on the terminal of every Node that is not under long-term support. */
async function importQuietly() {
  const { warn } = console;
  console.warn = (text: unknown, ...more: unknown[]) => {
    if (!String(text).includes("oidc-provider WARNING: Unsupported runtime")) warn(text, ...more);
  };
  try {
    return await import("./openid-provider.ts");
  } finally {
    console.warn = warn;
  }
}

const EXPIRED = renderLoginFailure(400, "This login has expired, or another browser began it.");

function write(response: ServerResponse, { status, headers, body }: LoginAnswer): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
