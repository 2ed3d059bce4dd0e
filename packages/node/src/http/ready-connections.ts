/**
 * Connections whose requests are in the plainest form, and whose answers are ready (decision 0069). A new connection is read
 * here, in front of `node:http`, which takes 1.7 times as long for the same answer. The first bytes of any other form, the first
 * request that the fast lane does not answer, and requests that a caller sends before it has taken earlier answers hand the
 * connection to `node:http`, with all bytes that are not answered. It stays there until it ends.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Timers } from "../host/host.ts";
import { startInterval } from "../waiting/interval.ts";
import { callerAddressOf } from "./caller-address.ts";
import type { PortConnections } from "./connections.ts";
import type { FastLane } from "./fast-lane.ts";
import { ARRIVAL_MILLISECONDS, IDLE_CHECK_MILLISECONDS, KEEP_ALIVE_MILLISECONDS } from "./limits.ts";
import { PlainHeadReader } from "./plain-head.ts";
import { pauseUntilTaken } from "./write-in-turn.ts";

interface ReadyConnectionsParts {
  readonly fastLane: FastLane;
  readonly connections: PortConnections;
  readonly timers: Timers;
}

type Serve = (socket: Socket) => void;

/** The open connections that `node:http` does not know of. */
export class ReadyConnections {
  readonly #timers: Timers;
  readonly #open = new Set<ReadyConnection>();
  #endChecks: (() => void) | null = null;

  /** Takes the server's new connections before it does. The listeners for them that are set already run first. */
  constructor(server: Server, parts: ReadyConnectionsParts) {
    this.#timers = parts.timers;
    const [serve] = server.listeners("connection") as unknown as readonly [Serve];
    server.off("connection", serve);
    const hand = (socket: Socket) => serve.call(server, socket);
    server.on("connection", (socket: Socket) => {
      if (socket.destroyed) return;
      const gone = () => this.#remove(opened);
      const opened = new ReadyConnection(socket, { ...parts, server, hand, gone });
      this.#add(opened);
    });
  }

  /** Ends them when their last answers are sent. */
  close(): void {
    for (const connection of this.#open) connection.end();
  }

  /** One timer for all: a socket's own is set again by every read and every write. */
  #add(connection: ReadyConnection): void {
    this.#open.add(connection);
    const check = () => {
      for (const each of this.#open) each.check();
    };
    this.#endChecks ??= startInterval(check, IDLE_CHECK_MILLISECONDS, this.#timers);
  }

  #remove(connection: ReadyConnection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    this.#endChecks?.();
    this.#endChecks = null;
  }
}

interface ReadyConnectionParts extends ReadyConnectionsParts {
  readonly server: Server;
  /** Hands the connection to `node:http`. */
  readonly hand: Serve;
  readonly gone: () => void;
}

class ReadyConnection {
  readonly #socket: Socket;
  readonly #parts: ReadyConnectionParts;
  readonly #address: string;
  readonly #requests = new PlainHeadReader();
  #hasAnswered = false;
  /** Checks since the last answer. */
  #checks = 0;

  constructor(socket: Socket, parts: ReadyConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#address = callerAddressOf(socket);
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
  }

  end(): void {
    this.#socket.destroySoon();
  }

  /** Ends a connection that is idle for too long. One that has sent no request is answered as by `node:http`: it was too slow. */
  check(): void {
    const milliseconds = ++this.#checks * IDLE_CHECK_MILLISECONDS;
    if (this.#hasAnswered) {
      if (milliseconds > KEEP_ALIVE_MILLISECONDS) this.#socket.destroy();
    } else if (milliseconds > ARRIVAL_MILLISECONDS) {
      this.#parts.gone();
      const error = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      this.#parts.server.emit("clientError", error, this.#socket);
    }
  }

  readonly #answer = (bytes: Buffer): void => {
    const text = bytes.toString("latin1");
    for (let at = 0; at < text.length; ) {
      const { answers, end, isStuck } = this.#collect(text, at);
      const isTaken = answers === "" || this.#write(answers);
      if (isStuck || (!isTaken && end < text.length)) return void this.#handOver(bytes.subarray(end));
      if (!isTaken) pauseUntilTaken(this.#socket);
      at = end;
    }
  };

  /** The answers to the requests from there on, about as many as the socket holds, up to one that is not answered here. */
  #collect(text: string, from: number) {
    const { fastLane } = this.#parts;
    const most = this.#socket.writableHighWaterMark;
    let answers = "";
    let end = from;
    while (end < text.length && answers.length < most) {
      const request = this.#requests.read(text, end);
      const answer = request === null ? null : fastLane.answerHead(request, this.#address);
      if (request === null || answer === null) return { answers, end, isStuck: true };
      answers += answer;
      end = request.end;
    }
    return { answers, end, isStuck: false };
  }

  /** False if the caller takes its answers more slowly than they come. */
  #write(answers: string): boolean {
    const { connections } = this.#parts;
    const socket = this.#socket;
    this.#hasAnswered = true;
    this.#checks = 0;
    const connection = connections.use(socket);
    const isTaken = socket.write(answers);
    if (connection === undefined) return isTaken;
    if (socket.writableLength === 0) connections.rest(connection);
    else socket.write("", () => connections.rest(connection));
    return isTaken;
  }

  #handOver(rest: Buffer): void {
    const socket = this.#socket;
    this.#parts.gone();
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    // The bytes come again, as soon as somebody listens to a socket that is no longer paused.
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    this.#parts.hand(socket);
    socket.resume();
  }

  readonly #listeners: readonly (readonly [event: string, listener: (bytes: Buffer) => void])[] = [
    ["data", this.#answer],
    ["end", () => this.#socket.end()],
    ["error", () => this.#socket.destroy()],
    ["close", () => this.#parts.gone()],
  ];
}
