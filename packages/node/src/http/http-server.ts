/**
 * One port with its APIs, on `node:http`: the tables say which routes there are. Requests are bounded in size, time and
 * number. The server listens on the host it is given, which is loopback unless an operator decides otherwise.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Rejection } from "@callsign/api";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import { startTrace } from "../observability/trace-context.ts";
import { waitAtMost } from "../waiting/deadline.ts";
import { answerCall, type CallSetting } from "./answer-call.ts";
import { BodyBudget } from "./body-budget.ts";
import { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { createCallerRates } from "./caller-rates.ts";
import { Calls } from "./calls.ts";
import { PortConnections } from "./connections.ts";
import { preflightHeaders } from "./cors.ts";
import { dialectOf } from "./dialect.ts";
import type { Document } from "./documents.ts";
import { isHealthCall } from "./health.ts";
import { readIncoming } from "./incoming.ts";
import {
  ARRIVAL_MILLISECONDS,
  KEEP_ALIVE_MILLISECONDS,
  MAX_CALLS,
  MAX_CONNECTIONS,
  MAX_REASON_LENGTH,
  REQUEST_TIMEOUT_MILLISECONDS,
  SHUTDOWN_MILLISECONDS,
} from "./limits.ts";
import type { Listening } from "./listening.ts";
import { everyCaller, isLoopback, localCallers } from "./local-caller.ts";
import type { MountedApi } from "./mount-api.ts";
import { listenOnSocket, openPortServer } from "./port-server.ts";
import { measureRates } from "./rate-metrics.ts";
import { answerAsRequest, endWithAnswer } from "./raw-answer.ts";
import { RefusalLog } from "./refusal-log.ts";
import { type Route, Routes } from "./routes.ts";
import type { OpenUpgrades } from "./upgrades.ts";
import { writeAnswer } from "./write-answer.ts";

export interface HttpServerOptions extends Listening {
  readonly mounts: readonly [MountedApi, ...MountedApi[]];
  readonly log: Log;
  /** The registry of its calls' metrics; none are kept if omitted. */
  readonly metrics?: Metrics | undefined;
  readonly requestTimeoutMilliseconds?: number;
  /** Calls that wait for their answers at a time. */
  readonly maxCalls?: number;
  /**
   * Refuses calls that a page of another site makes a browser send, by their origin or the host name they used. The
   * default is true on loopback, and false elsewhere.
   */
  readonly localCallersOnly?: boolean;
  /** `serveWebsockets()`, for mounts with streams. */
  readonly upgrades?: OpenUpgrades;
  readonly maxConnections?: number;
  /** A unix domain socket to listen on in place of host and port. */
  readonly socketPath?: string;
  /** Bodies that are not small, all together. */
  readonly maxBodyBytesAtOnce?: number;
  readonly system: Host;
}

export interface HttpServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Throws `TlsFilesRejected`. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, mounts, log, system } = options;
  const isLocal = options.localCallersOnly ?? isLoopback(host);
  const findForeign = isLocal ? localCallers(options.allowedCallers) : everyCaller;
  const { callRates = {} } = options;
  const measured = { metrics: options.metrics, service: mounts[0].api.name };
  const rates = measureRates(createCallerRates(callRates, system.clock), callRates, measured);
  const refusals = new RefusalLog(log, system);
  const upgrades = options.upgrades?.({ mounts, findForeign, rates, refusals, log, system }) ?? null;
  const setting: CallSetting = {
    timeoutMilliseconds: options.requestTimeoutMilliseconds ?? REQUEST_TIMEOUT_MILLISECONDS,
    maxCalls: options.maxCalls ?? MAX_CALLS,
    findForeign,
    budget: new BodyBudget(options.maxBodyBytesAtOnce),
    calls: new Calls(),
    rates,
    warning: () => portServer.warning(),
    refusals,
    system,
    log,
  };
  const routes = new Routes(mounts, upgrades);
  const metrics = options.metrics && new CallMetrics(options.metrics, system.clock);
  const portServer = openPortServer({
    options: {
      requestTimeout: ARRIVAL_MILLISECONDS,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      shouldUpgradeCallback: (request) => upgrades?.accepts(request) ?? false,
    },
    tls: options.tls,
    ...{ refusals, system, log },
  });
  const { server } = portServer;
  const { socketPath, maxConnections = MAX_CONNECTIONS } = options;
  const connections = new PortConnections(maxConnections);
  // A socket's callers have no addresses to share it by.
  if (socketPath !== undefined) server.maxConnections = maxConnections;
  server.on("connection", (socket: Socket) => {
    if (socketPath !== undefined) return;
    const address = callerAddressOf(socket);
    if (!connections.add(socket))
      refusals.write(null, "other", () => ({ address, reason: "every connection of the port is in use" }));
  });
  server.on("request", (request, response) => {
    response.on("close", connections.use(request.socket));
    answer(routes, request, response, { setting, metrics });
  });
  server.on("upgrade", (request, socket, head) => {
    connections.use(request.socket);
    if (upgrades?.accepts(request) === true) void upgrades.open(request, socket, head);
    else answerAsRequest(server, request, socket);
  });
  // Bytes that are no HTTP, or more of it than is read: the connection is of no more use.
  const refuseUnread = (error: Error & { readonly code?: string }, socket: Socket) => {
    const { code = "unknown" } = error;
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const status = code === "HPE_HEADER_OVERFLOW" ? 431 : code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
    const { traceId, traceparent } = startTrace(undefined, undefined, system.randomness);
    const address = callerAddressOf(socket);
    refusals.write(status, "other", () => ({
      traceId,
      address,
      reason: `the request cannot be read: ${code}`,
    }));
    const { headers, ...refused } = dialectOf(mounts[0].api).unreadable(status, code, traceId);
    endWithAnswer(socket, { ...refused, headers: { ...headers, traceparent } });
  };
  server.on("clientError", refuseUnread);
  const listening = await (socketPath === undefined
    ? portServer.listen(host, port)
    : listenOnSocket(server, socketPath));
  const close = async () => {
    portServer.close();
    refusals.close();
    const closed = new Promise((resolve) => server.close(resolve));
    const calls = Promise.all([setting.calls.close(), upgrades?.close()]);
    await waitAtMost(calls, SHUTDOWN_MILLISECONDS, system.timers);
    portServer.closeConnections();
    await closed;
  };
  return { ...listening, close };
}

function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  { setting, metrics }: { readonly setting: CallSetting; readonly metrics: CallMetrics | undefined },
): void {
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const incoming = readIncoming(request, setting.system);
  const route = routes.find(incoming.method, mark < 0 ? url : url.slice(0, mark));
  const refuse = (rejection: Rejection, reason: string) => {
    const { method } = incoming;
    const address = callerAddressOf(request.socket);
    setting.refusals.write(rejection.status, "other", () => {
      return { traceId: incoming.traceId, method, path: pathOf(url), address, reason };
    });
    writeAnswer(response, rejection, { incoming, isRefused: true });
  };
  const retryAfter = isProbe(route) ? null : setting.rates.countAddress(callerAddressOf(request.socket));
  if (retryAfter !== null)
    return void refuse(
      routes.dialectOf(route).tooOften(incoming.traceId, retryAfter),
      "calls of one address",
    );
  if (route.kind === "operation") {
    const arrival = { ...route, request, response, incoming, setting, user: null, audited: null };
    return void (metrics === undefined ? answerCall(arrival) : metrics.measure(arrival, answerCall));
  }
  if (route.kind === "document") return void writeDocument(response, route.document);
  const preflighted = preflight(request, setting);
  if (preflighted !== null) return void writeAnswer(response, preflighted, { incoming });
  if (route.kind === "refused") {
    const rejection = route.rejection(incoming.traceId);
    return void refuse(rejection, rejection.body);
  }
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const absoluteUrl = `${scheme}://${request.headers.host ?? ""}${url}`;
  refuse(route.dialect.unknownPath(incoming.method, absoluteUrl), "no API of this port has the path");
}

function writeDocument(response: ServerResponse, { type, read }: Document): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(read()) }).end(read());
}

/** The path without the query, which may have a token. */
function pathOf(url: string): string {
  return (url.split("?")[0] ?? "").slice(0, MAX_REASON_LENGTH);
}

function isProbe(route: Route): boolean {
  return route.kind === "operation" && isHealthCall(route.endpoint);
}

function preflight(
  { method = "", headers }: IncomingMessage,
  { findForeign }: CallSetting,
): Rejection | null {
  const answered = preflightHeaders(method, headers);
  if (answered === null) return null;
  if (findForeign(headers.host, headers.origin) !== null) return null;
  return { status: 200, headers: answered, body: "" };
}
