/**
 * One port with its APIs, on `node:http`: the tables say which routes there are. Requests are bounded in size, time and
 * number. The server listens on the host it is given, which is loopback unless an operator decides otherwise.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import { startTrace } from "../observability/trace-context.ts";
import { waitAtMost } from "../waiting/deadline.ts";
import { answerRequest } from "./answer-request.ts";
import type { CallSetting } from "./arrival.ts";
import { BodyBudget } from "./body-budget.ts";
import { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { createCallerRates } from "./caller-rates.ts";
import { Calls } from "./calls.ts";
import { PortConnections } from "./connections.ts";
import { dialectOf } from "./dialect.ts";
import { FastLane } from "./fast-lane.ts";
import {
  ARRIVAL_MILLISECONDS,
  KEEP_ALIVE_MILLISECONDS,
  MAX_CALLS,
  MAX_CONNECTIONS,
  REQUEST_TIMEOUT_MILLISECONDS,
  SHUTDOWN_MILLISECONDS,
} from "./limits.ts";
import type { Listening } from "./listening.ts";
import { everyCaller, isLoopback, localCallers } from "./local-caller.ts";
import { LookupChannels } from "./lookup-channels.ts";
import type { MountedApi } from "./mount-api.ts";
import { listenOnSocket, openPortServer } from "./port-server.ts";
import { measureRates } from "./rate-metrics.ts";
import { answerAsRequest, endWithAnswer } from "./raw-answer.ts";
import { ReadyConnections } from "./ready-connections.ts";
import { RefusalLog } from "./refusal-log.ts";
import { Routes } from "./routes.ts";
import type { OpenUpgrades } from "./upgrades.ts";
import { WebApplication } from "./web-application.ts";

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
  const { host, mounts, log, system } = options;
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
  const metrics = options.metrics && new CallMetrics(options.metrics, system.clock);
  const fastLane = new FastLane(mounts, setting, metrics);
  const channels = new LookupChannels(mounts, fastLane, setting, metrics);
  const web = options.web && {
    application: new WebApplication({ files: system.files }),
    pages: options.web,
  };
  const port = { fastLane, routes: new Routes(mounts, upgrades), setting, metrics, web };
  const portServer = openPortServer({
    options: {
      requestTimeout: ARRIVAL_MILLISECONDS,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      shouldUpgradeCallback: (request) => channels.accepts(request) || upgrades?.accepts(request) === true,
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
  const isRead = fastLane.isUsed && options.tls === undefined && socketPath === undefined;
  const { timers } = system;
  const ready = isRead ? new ReadyConnections(server, { fastLane, connections, timers }) : null;
  server.on("request", (request, response) => {
    const connection = connections.use(request.socket);
    answerRequest(port, request, response);
    if (connection === undefined) return;
    if (isSent(response)) connections.rest(connection);
    else response.on("close", () => connections.rest(connection));
  });
  server.on("upgrade", (request, socket, head) => {
    connections.use(request.socket);
    if (channels.accepts(request)) channels.open(request, socket as Socket, head);
    else if (upgrades?.accepts(request) === true) void upgrades.open(request, socket, head);
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
    ? portServer.listen(host, options.port)
    : listenOnSocket(server, socketPath));
  const close = async () => {
    for (const part of [portServer, channels, ready, refusals]) part?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    const calls = Promise.all([setting.calls.close(), upgrades?.close()]);
    await waitAtMost(calls, SHUTDOWN_MILLISECONDS, timers);
    portServer.closeConnections();
    await closed;
  };
  return { ...listening, close };
}

/** True if the whole answer has gone to the network: then nobody need wait for its end. */
function isSent({ writableEnded, socket }: ServerResponse): boolean {
  return writableEnded && socket?.writableLength === 0;
}
