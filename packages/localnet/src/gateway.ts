/**
 * Forwards to the APIs by host name and path, as LocalNet's gateways do: clients need not know the ports behind.
 * Forwarding itself, websockets included, is the library's: decision 0028.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Host, listen } from "@callsign/node";
import type { ProxyServer } from "httpxy";
import { GATEWAY_MILLISECONDS, MAX_GATEWAY_CONNECTIONS } from "./limits.ts";
import { ADDRESS } from "./ports.ts";

export interface GatewayRoute {
  /** For example `wallet.localhost`; null for every other host. */
  readonly host: string | null;
  /** The first segments of the path. */
  readonly prefix: string;
  /** The address of the API, without a path; a function where the API starts after the gateway. */
  readonly target: string | (() => string);
  /** True if the API does not have the prefix: it is cut off. */
  readonly cutsPrefix?: boolean;
  /** True if pages of other origins are refused, those of this machine included. */
  readonly sameOriginOnly?: boolean;
}

export interface Gateway {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Answers requests that no route fits; false leaves one to the gateway. */
export type FallbackAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

export async function startGateway(
  port: number,
  routes: readonly GatewayRoute[],
  { http }: Host,
  answerPage: FallbackAnswer = () => false,
): Promise<Gateway> {
  let proxy: Promise<ProxyServer> | undefined;
  const useProxy = () => {
    proxy ??= openProxy(targets).then((opened) => opened.on("open", track));
    return proxy;
  };
  /** The target of each request, which the request itself no longer tells once its prefix is cut off. */
  const targets: Targets = new WeakMap();
  const aim = (request: IncomingMessage, { prefix, target: given, cutsPrefix = false }: GatewayRoute) => {
    const target = typeof given === "string" ? given : given();
    targets.set(request, target);
    if (cutsPrefix) request.url = (request.url ?? "").slice(prefix.length).replace(/^(?!\/)/, "/");
    return target;
  };
  // An upgrade that has no route is answered as a request.
  const shouldUpgradeCallback = (request: IncomingMessage) => {
    const route = findRoute(routes, request);
    return isWebsocket(request) && route !== undefined && !isForeign(route, request);
  };
  const server = http.createServer({ shouldUpgradeCallback }).on("request", (request, response) => {
    const route = findRoute(routes, request);
    if (route === undefined) {
      if (!answerPage(request, response)) refuse(response, 404, describeRoutes(routes, request));
    } else if (isForeign(route, request)) {
      refuse(
        response,
        403,
        `Pages of ${request.headers.origin} may not call ${route.prefix} of this gateway`,
      );
    } else {
      const target = aim(request, route);
      useProxy()
        .then((opened) => opened.web(request, response, { target }))
        .catch(() => response.destroy());
    }
  });
  const websockets = new Set<Socket>();
  const track = (socket: Socket) => {
    websockets.add(socket);
    socket.on("close", () => websockets.delete(socket)).on("error", () => socket.destroy());
  };
  server.on("upgrade", (request, socket: Socket, head) => {
    track(socket);
    const route = findRoute(routes, request);
    if (route === undefined) return void socket.destroy();
    const target = aim(request, route);
    useProxy()
      .then((opened) => opened.ws(request, socket, { target }, head))
      .catch(() => socket.destroy());
  });
  server.maxConnections = MAX_GATEWAY_CONNECTIONS;
  server.requestTimeout = GATEWAY_MILLISECONDS;
  return {
    ...(await listen(server, ADDRESS, port)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of websockets) socket.destroy();
      }),
  };
}

/** Loaded with the first request: most networks are never asked through a gateway. */
async function openProxy(targets: Targets): Promise<ProxyServer> {
  const { createProxyServer } = await import("httpxy");
  const proxy = createProxyServer({
    // One request a connection.
    agent: false,
    proxyTimeout: GATEWAY_MILLISECONDS,
    upgradeTimeout: GATEWAY_MILLISECONDS,
  });
  return proxy.on("error", (error, request, response) => {
    const target = (request && targets.get(request)) ?? "the target";
    if (response !== undefined) refuseUnreachable(response, `${target} cannot be reached: ${error.message}`);
  });
}

function isWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

type Targets = WeakMap<IncomingMessage, string>;

function findRoute(
  routes: readonly GatewayRoute[],
  { headers, url = "/" }: IncomingMessage,
): GatewayRoute | undefined {
  const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const path = url.split("?")[0] ?? "/";
  const fits = routes.filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  return fits.find((route) => route.host === host) ?? fits.find((route) => route.host === null);
}

/** Browsers name the page's origin with every request that changes anything. */
function isForeign(
  { sameOriginOnly = false }: GatewayRoute,
  { headers: { origin, host } }: IncomingMessage,
): boolean {
  return sameOriginOnly && origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase();
}

function describeRoutes(routes: readonly GatewayRoute[], { headers, url }: IncomingMessage): string {
  const known = routes.map(({ host, prefix }) => `${host ?? "any host"}${prefix}`).join(", ");
  return `Nothing is served at ${headers.host ?? ""}${url ?? ""}. Here are: ${known}`;
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}

/** An answer that has begun is broken off. */
function refuseUnreachable(response: ServerResponse | Socket, error: string): void {
  if ("headersSent" in response) {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, error);
  } else if (response.bytesWritten > 0) {
    response.destroy();
  } else {
    const body = JSON.stringify({ error });
    const length = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
    response.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: application/json\r\n${length}\r\n\r\n${body}`);
  }
}
