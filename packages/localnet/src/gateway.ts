/**
 * Forwards to the APIs by host name and path, as LocalNet's gateways do, so that a client's addresses need not know
 * the ports behind. What is sent and answered passes through as it is.
 */
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { answerAsRequest } from "@callsign/node";
import { isWebsocket, refuseUpgrade, Tunnels } from "./gateway-tunnels.ts";

export interface GatewayRoute {
  /** `wallet.localhost`; null for every other host. */
  readonly host: string | null;
  /** What the path begins with. */
  readonly prefix: string;
  /** Where to: host and port. */
  readonly target: string;
}

export interface Gateway {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const MAX_CONNECTIONS = 1000;
const TIMEOUT_MILLISECONDS = 60_000;
/** Of one connection alone, and of no interest to the next. */
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

export async function startGateway(
  host: string,
  port: number,
  routes: readonly GatewayRoute[],
): Promise<Gateway> {
  const server: Server = createServer({ shouldUpgradeCallback: isWebsocket }, (incoming, response) => {
    const target = findTarget(routes, incoming);
    if (target === undefined) refuse(response, 404, describeRoutes(routes, incoming));
    else pass(incoming, response, target);
  });
  const tunnels = new Tunnels();
  server.on("upgrade", (incoming, socket, head) => {
    if (!isWebsocket(incoming)) return answerAsRequest(server, incoming, socket);
    const target = findTarget(routes, incoming);
    if (target === undefined) refuseUpgrade(socket, 404, describeRoutes(routes, incoming));
    else tunnels.open({ incoming, socket, head }, target, withoutHops(incoming.headers));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = TIMEOUT_MILLISECONDS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        tunnels.close();
      }),
  };
}

function findTarget(
  routes: readonly GatewayRoute[],
  { headers, url = "/" }: IncomingMessage,
): string | undefined {
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const path = url.split("?")[0] ?? "/";
  const fits = routes.filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  return (fits.find((route) => route.host === host) ?? fits.find((route) => route.host === null))?.target;
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { hostname, port } = new URL(target);
  const outgoing = forward(
    {
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: framed(incoming.headers),
      timeout: TIMEOUT_MILLISECONDS,
      // One request a connection: whatever a caller sends, it can only be taken for one.
      agent: false,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
      // A target that breaks off breaks off here, too.
      pipeline(answer, response, () => undefined);
    },
  );
  outgoing.on("timeout", () => outgoing.destroy(new Error("it did not answer in time")));
  outgoing.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, `${target} cannot be reached: ${error.message}`);
  });
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** A body goes on as it came: in chunks, or with its length. Without that, its bytes could pass for a request. */
function framed({ "transfer-encoding": encoding, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = withoutHops(headers);
  if (encoding === undefined) return kept;
  const { "content-length": _, ...chunked } = kept;
  return { ...chunked, "transfer-encoding": "chunked" };
}

/** Nor do those go on that the sender names as being for this connection. */
function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

function describeRoutes(routes: readonly GatewayRoute[], { headers, url }: IncomingMessage): string {
  const known = routes.map(({ host, prefix }) => `${host ?? "any host"}${prefix}`).join(", ");
  return `Nothing is served at ${headers.host ?? ""}${url ?? ""}. Here are: ${known}`;
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}
