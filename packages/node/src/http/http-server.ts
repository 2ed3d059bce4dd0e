/**
 * One port with its APIs. The tables say which routes there are; Fastify finds the route and reads the body, within
 * bounds of size, time and number. It listens where it is told to, which is loopback unless somebody decides otherwise.
 */
import type { AddressInfo, Socket } from "node:net";
import { type Endpoint, findEndpoint, type Rejection } from "@callsign/api";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Log } from "../observability/log.ts";
import { absoluteUrl, answerCall, Calls, traceIdOf, writeAnswer } from "./answer-call.ts";
import { BodyBudget } from "./body-budget.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { dialectOf } from "./dialect.ts";
import { addDocuments } from "./documents.ts";
import { findForeignCaller, isLoopback } from "./local-caller.ts";
import type { MountedApi } from "./mount-api.ts";
import { answerAsRequest, endWithAnswer } from "./raw-answer.ts";
import type { OpenUpgrades, Upgrades } from "./upgrades.ts";

type Mounts = readonly [MountedApi, ...MountedApi[]];

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly mounts: Mounts;
  readonly log: Log;
  readonly requestTimeoutMilliseconds?: number;
  /** How many calls may be waiting for their answer at a time. */
  readonly maxCalls?: number;
  /**
   * Whether callers must have meant this machine: what a page of somebody else's makes a browser send is refused, by
   * its origin or the name it used. So it is where the server listens on loopback, unless this says otherwise.
   */
  readonly localCallersOnly?: boolean;
  /** `serveWebsockets()`, for mounts with streams. */
  readonly upgrades?: OpenUpgrades;
  /** Of bodies that are not small, all together. */
  readonly maxBodyBytesAtOnce?: number;
}

export interface HttpServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Splice's applications give up a request after this time. */
const REQUEST_TIMEOUT_MILLISECONDS = 38_000;
const MAX_CALLS = 1000;
const ARRIVAL_MILLISECONDS = 30_000;
/** More than may wait, so that who is turned away is told so. */
const MAX_CONNECTIONS = 4000;
/** How long a stop waits for calls that are being answered. */
const CLOSE_MILLISECONDS = 3000;
/** No request's head is longer: what is too long for a parameter, its table says. */
const MAX_PARAMETER_LENGTH = 16_384;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, mounts, log } = options;
  const [first] = mounts;
  const limits = {
    timeoutMilliseconds: options.requestTimeoutMilliseconds ?? REQUEST_TIMEOUT_MILLISECONDS,
    maxCalls: options.maxCalls ?? MAX_CALLS,
    localCallersOnly: options.localCallersOnly ?? isLoopback(host),
  };
  const upgrades = options.upgrades?.({ mounts, localCallersOnly: limits.localCallersOnly, log }) ?? null;
  const app = Fastify({
    http: { shouldUpgradeCallback: (request) => upgrades?.accepts(request) ?? false },
    logger: false,
    forceCloseConnections: true,
    // A whole request has to arrive within this time.
    requestTimeout: ARRIVAL_MILLISECONDS,
    exposeHeadRoutes: true,
    clientErrorHandler: (error, socket) => refuseUnread(first, error, socket),
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      onBadUrl: (_, request, response) => {
        const refused = dialectOf(first.api).malformedTarget(traceIdOf(request.headers["traceparent"]));
        response.writeHead(refused.status, refused.headers).end(refused.body);
      },
    },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on("upgrade", (request, socket, head) => {
    if (upgrades?.accepts(request) === true) void upgrades.open(request, socket, head);
    else answerAsRequest(app.server, request, socket);
  });
  // Older operations of the ledger API take the body of a GET.
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  readBodiesAsText(app);
  boundBodies(app, mounts, new BodyBudget(options.maxBodyBytesAtOnce));
  const calls = new Calls();
  for (const mount of mounts) addRoutes(app, mount, { ...limits, log, calls, upgrades });
  app.setNotFoundHandler((request, reply) => sendRejection(reply, notFound(mounts, request, limits)));
  app.setErrorHandler((error, request, reply) => sendRejection(reply, frameworkError(first, request, error)));
  const listening: Promise<string> = app.listen({ host, port });
  await listening;
  const address = app.server.address() as AddressInfo;
  const close = async () => {
    app.server.close();
    const ended = Promise.all([calls.end(), upgrades?.close()]);
    const patience = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MILLISECONDS).unref());
    await Promise.race([ended, patience]);
    const closing: Promise<void> = app.close();
    await closing;
  };
  return { url: `http://${formatHost(host)}:${address.port}`, port: address.port, close };
}

interface RouteSetting {
  readonly timeoutMilliseconds: number;
  readonly maxCalls: number;
  readonly localCallersOnly: boolean;
  readonly log: Log;
  readonly calls: Calls;
  readonly upgrades: Upgrades | null;
}

function addRoutes(app: FastifyInstance, mount: MountedApi, setting: RouteSetting): void {
  const { api } = mount;
  for (const prefix of new Set([api.basePath, ""])) {
    for (const endpoint of Object.values(api.endpoints))
      addRoute(app, mount, endpoint, { ...setting, prefix });
    addDocuments(app, mount, prefix);
  }
}

function addRoute(
  app: FastifyInstance,
  mount: MountedApi,
  endpoint: Endpoint,
  setting: RouteSetting & { readonly prefix: string },
): void {
  const { api } = mount;
  const url = setting.prefix + routePath(endpoint.path);
  // The ledger API overlooks a slash at the end.
  for (const path of api.dialect === "ledger" ? [url, `${url}/`] : [url]) {
    if (app.hasRoute({ method: endpoint.method, url: path })) continue;
    app.route({
      method: endpoint.method,
      url: path,
      bodyLimit: api.maxBodyBytes,
      handler: (request, reply) => answerCall({ mount, endpoint, request, reply, setting }),
      errorHandler: (error, request, reply) => sendRejection(reply, frameworkError(mount, request, error)),
    });
    if (setting.upgrades !== null && mount.streams?.has(endpoint) === true)
      addUpgradeHint(app, mount, path, setting.upgrades);
  }
}

/** A plain GET of a stream is told that it needs an upgrade. */
function addUpgradeHint(app: FastifyInstance, mount: MountedApi, path: string, upgrades: Upgrades): void {
  if (app.hasRoute({ method: "GET", url: path })) return;
  app.get(path, (request, reply) => {
    const traceId = traceIdOf(request.headers["traceparent"]);
    return sendRejection(reply, upgrades.refusePlain(mount, traceId));
  });
}

/** A parameter's own name may have signs that mean something to the router; the table's names stay ours. */
function routePath(path: string): string {
  let count = 0;
  return path.replace(/\{[^}]*\}/g, () => `:p${count++}`);
}

function boundBodies(app: FastifyInstance, [first, ...others]: Mounts, budget: BodyBudget): void {
  const limit = Math.max(first.api.maxBodyBytes, ...others.map(({ api }) => api.maxBodyBytes));
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const giveBack = budget.take(request.headers, limit);
    if (giveBack === null) {
      const traceId = traceIdOf(request.headers["traceparent"]);
      sendRejection(reply.header("connection", "close"), dialectOf(first.api).overloaded(traceId));
      return;
    }
    reply.raw.once("close", giveBack);
    done(null);
  });
}

/** The tables' own readers decide what a body is. */
function readBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body));
}

function notFound(
  mounts: readonly MountedApi[],
  request: FastifyRequest,
  { localCallersOnly }: Pick<RouteSetting, "localCallersOnly">,
): Rejection {
  const preflight = preflightHeaders(request.method, request.headers);
  const { host, origin } = request.headers;
  if (preflight !== null && !(localCallersOnly && findForeignCaller(host, origin) !== null))
    return { status: 200, headers: preflight, body: "" };
  const [path = ""] = request.url.split("?");
  for (const { api } of mounts) {
    for (const prefix of new Set([api.basePath, ""])) {
      if (!path.startsWith(`${prefix}/`)) continue;
      const found = findEndpoint(api, request.method, path.slice(prefix.length));
      if (found.kind === "wrong-method") return dialectOf(api).wrongMethod(found.allowed);
    }
  }
  const [first] = mounts;
  if (first === undefined) throw new Error("a server has at least one API");
  return dialectOf(first.api).unknownPath(request.method, absoluteUrl(request));
}

/** What the framework refuses before a handler is reached: bodies, above all. */
function frameworkError({ api }: MountedApi, request: FastifyRequest, error: unknown): Rejection {
  const traceId = traceIdOf(request.headers["traceparent"]);
  const dialect = dialectOf(api);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return dialect.tooLarge(traceId, api.maxBodyBytes);
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return status < 500 ? dialect.unreadable(status, String(code), traceId) : dialect.defect(traceId);
}

/** What is no HTTP, or more of it than is read: nothing of the request is known, and the connection is of no more use. */
function refuseUnread({ api }: MountedApi, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = error.code ?? "unknown";
  const status = code === "HPE_HEADER_OVERFLOW" ? 431 : code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const { headers, body } = dialectOf(api).unreadable(status, code, traceIdOf(undefined));
  endWithAnswer(socket, { status, headers, body });
}

function sendRejection(reply: FastifyReply, { status, headers, body }: Rejection): FastifyReply {
  const cors = corsHeaders(reply.request.headers.origin);
  return writeAnswer(reply, { status, headers: { ...cors, ...headers }, body });
}

function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
