/**
 * The websockets of one port. A refused handshake is answered as a request would be; an accepted one becomes a session.
 * The token stands among the subprotocols, or in the `Authorization` header, which wins.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Endpoint, findWebsocketToken, type Rejection, WEBSOCKET_PROTOCOL } from "@callsign/api";
import { type WebSocket, WebSocketServer } from "ws";
import type { Incoming } from "../http/call.ts";
import { callerAddressOf } from "../http/caller-address.ts";
import { corsHeaders } from "../http/cors.ts";
import { countUser } from "../http/count-user.ts";
import { answerDefect, dialectOf, toRejection } from "../http/dialect.ts";
import { readIncoming } from "../http/incoming.ts";
import type { MountedApi } from "../http/mount-api.ts";
import { endWithAnswer } from "../http/raw-answer.ts";
import { Refusal } from "../http/refusal.ts";
import { reasonOf } from "../http/refusal-log.ts";
import { type RoutedOperation, Routes } from "../http/routes.ts";
import type { MountedStreams } from "../http/streams.ts";
import type { OpenUpgrades, UpgradeSetting, Upgrades } from "../http/upgrades.ts";
import { Quota } from "../waiting/quota.ts";
import { WEBSOCKET_LIMITS, type WebsocketLimits } from "./websocket-limits.ts";
import { refuseWebsocket, type WebsocketFault } from "./websocket-refusals.ts";
import { type SessionParts, WebsocketSession } from "./websocket-session.ts";

interface WebsocketParts extends UpgradeSetting {
  readonly limits: WebsocketLimits;
}

interface Found extends RoutedOperation {
  readonly streams: MountedStreams;
}

/** An option of `startHttpServer`. */
export function serveWebsockets(limits: Partial<WebsocketLimits> = {}): OpenUpgrades {
  return (setting) => new Websockets({ ...setting, limits: { ...WEBSOCKET_LIMITS, ...limits } });
}

class Websockets implements Upgrades {
  readonly #parts: WebsocketParts;
  readonly #routes: Routes;
  readonly #servers = new Map<MountedApi, WebSocketServer>();
  readonly #sessions = new Map<WebsocketSession, Promise<void>>();
  /** Includes websockets that are being opened. */
  #count = 0;
  readonly #ofUser: Quota;
  #isStopping = false;

  constructor(parts: WebsocketParts) {
    this.#parts = parts;
    this.#ofUser = new Quota(parts.limits.maxSocketsPerUser);
    this.#routes = new Routes(parts.mounts, this);
    for (const mount of parts.mounts) {
      if (mount.streams !== undefined) this.#servers.set(mount, this.#makeServer(mount));
    }
  }

  /** True for a handshake at the path of a stream. */
  accepts(request: IncomingMessage): boolean {
    const isWebsocket = request.headers.upgrade?.toLowerCase() === "websocket";
    return isWebsocket && request.method === "GET" && this.#find(request) !== undefined;
  }

  /** For a request that is accepted. */
  async open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const found = this.#find(request);
    if (found === undefined) return void socket.destroy();
    const { mount, endpoint } = found;
    const token = findWebsocketToken(request.headers["sec-websocket-protocol"]);
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    const incoming = readIncoming(request, { randomness: this.#parts.system.randomness, authorization });
    this.#count++;
    socket.once("close", () => this.#count--);
    try {
      this.#countAddress(mount, request, incoming);
      const params = this.#check(found, incoming);
      await mount.before?.(incoming);
      const identity = await this.#identify(found, incoming, socket);
      if (this.#isStopping) throw this.#fault(mount, "stopping", incoming);
      const { limits, system, log } = this.#parts;
      const address = callerAddressOf(request.socket);
      const user = mount.rules.userOf(identity);
      const logRefusal = this.#loggerOf({ endpoint, incoming, user, address });
      const parts = { ...found, params, incoming, identity, address, limits, system, log, logRefusal };
      this.#servers
        .get(mount)
        ?.handleUpgrade(request, socket, head, (websocket) => this.#serve(websocket, parts));
    } catch (error) {
      endWithAnswer(socket, this.#answerTo(error, found, incoming, callerAddressOf(request.socket)));
    }
  }

  refusePlain(mount: MountedApi, traceId: string): Rejection {
    return refuseWebsocket(mount, "no-upgrade", traceId);
  }

  /** Closes every session, and waits for their ends. */
  async close(): Promise<void> {
    this.#isStopping = true;
    for (const session of this.#sessions.keys()) session.stop();
    await Promise.all(this.#sessions.values());
  }

  #makeServer(mount: MountedApi): WebSocketServer {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // Sessions answer pings themselves, as fast as their readers read.
      autoPong: false,
      maxPayload: mount.api.maxBodyBytes,
      handleProtocols: () => WEBSOCKET_PROTOCOL,
    });
    server.on("wsClientError", (_, socket: Duplex, request: IncomingMessage) => {
      const { traceId, trace } = readIncoming(request, this.#parts.system);
      const { headers, ...refused } = refuseWebsocket(mount, "bad-handshake", traceId);
      const address = callerAddressOf(request.socket);
      this.#parts.refusals.write(refused.status, "other", () => ({ traceId, address, reason: refused.body }));
      endWithAnswer(socket, { ...refused, headers: { ...headers, traceparent: trace.traceparent } });
    });
    return server;
  }

  /** A stream is the operation that answers POST with a list. */
  #find({ url = "" }: IncomingMessage): Found | undefined {
    const route = this.#routes.find("POST", url.split("?")[0] ?? "");
    if (route.kind !== "operation") return undefined;
    const { mount, endpoint } = route;
    return mount.streams?.has(endpoint) === true ? { ...route, streams: mount.streams } : undefined;
  }

  #countAddress({ api }: MountedApi, { socket }: IncomingMessage, incoming: Incoming): void {
    const retryAfter = this.#parts.rates.countAddress(callerAddressOf(socket));
    if (retryAfter !== null) throw new Refusal(dialectOf(api).tooOften(incoming.traceId, retryAfter));
  }

  /** The checks that come before the token. */
  #check({ mount, endpoint, params }: Found, incoming: Incoming): unknown {
    const { findForeign, limits } = this.#parts;
    const dialect = dialectOf(mount.api);
    const { traceId, header } = incoming;
    const foreign = findForeign(header("host"), header("origin"));
    if (foreign !== null) throw new Refusal(dialect.foreign(foreign, traceId));
    if (this.#count > limits.maxSockets) throw this.#fault(mount, "too-many", incoming);
    return dialect.params(endpoint, { params, search: "", contentType: undefined, body: "" });
  }

  /** Checks the token and the number of the user's websockets. */
  async #identify({ mount, endpoint, streams }: Found, incoming: Incoming, socket: Duplex): Promise<unknown> {
    const identity = await mount.rules.authenticate(endpoint, incoming);
    countUser(mount.rules.userOf(identity), mount, incoming, this.#parts.rates);
    streams.admit(identity);
    const { userId } = streams.holderOf(identity);
    if (userId === null || socket.destroyed) return identity;
    const giveBack = this.#ofUser.take(userId);
    if (giveBack === null) throw this.#fault(mount, "too-many-of-user", incoming);
    socket.once("close", giveBack);
    return identity;
  }

  #serve(websocket: WebSocket, parts: SessionParts): void {
    const session = new WebsocketSession(websocket, parts);
    const served = session.serve().finally(() => this.#sessions.delete(session));
    this.#sessions.set(session, served);
  }

  #fault(mount: MountedApi, fault: WebsocketFault, { traceId }: Incoming): Refusal {
    return new Refusal(refuseWebsocket(mount, fault, traceId));
  }

  #answerTo(error: unknown, found: Found, incoming: Incoming, address: string): Rejection {
    const operation = { ...found, log: this.#parts.log };
    const refused = toRejection(error, incoming, found);
    if (refused !== null)
      this.#loggerOf({ ...found, incoming, user: null, address })(refused.status, reasonOf(error));
    const { status, headers, body } =
      refused ?? answerDefect(error, incoming, operation, "a websocket could not be opened");
    const cors = corsHeaders(incoming.header("origin"));
    const { traceparent } = incoming.trace;
    return { status, headers: { ...cors, ...found.mount.headers?.(), traceparent, ...headers }, body };
  }

  #loggerOf(call: {
    readonly endpoint: Endpoint;
    readonly incoming: Incoming;
    readonly user: string | null;
    readonly address: string;
  }): (status: number, reason: string) => void {
    const { endpoint, incoming, user, address } = call;
    return (status, reason) =>
      this.#parts.refusals.write(status, "operation", () => {
        return { traceId: incoming.traceId, operation: endpoint.id, user, address, reason };
      });
  }
}
