/**
 * One websocket from its handshake to its end: the request in one text frame, each item in a frame, and at the end a
 * normal close, after an error's body if there was an error. Items are sent as fast as the reader reads. A stream lasts
 * no longer than its token and its user's rights.
 */
import type { AnyRequest } from "@callsign/api";
import type { RawData, WebSocket } from "ws";
import type { Host } from "../host/host.ts";
import type { Incoming } from "../http/call.ts";
import { answerDefect, dialectOf, type Operation, toRejection } from "../http/dialect.ts";
import { reasonOf } from "../http/refusal-log.ts";
import type { MountedStreams } from "../http/streams.ts";
import type { Log } from "../observability/log.ts";
import { runInTrace } from "../observability/trace-context.ts";
import { onAbort } from "../waiting/abort.ts";
import { startInterval } from "../waiting/interval.ts";
import { CLOSE_MILLISECONDS, type WebsocketLimits } from "./websocket-limits.ts";
import { refuseWebsocket, type WebsocketFault } from "./websocket-refusals.ts";

export interface SessionParts extends Operation {
  readonly streams: MountedStreams;
  readonly params: unknown;
  readonly incoming: Incoming;
  /** As it was at the handshake. */
  readonly identity: unknown;
  readonly address: string;
  readonly limits: WebsocketLimits;
  readonly system: Host;
  readonly log: Log;
  readonly logRefusal: (status: number, reason: string) => void;
}

type Ending =
  | { readonly kind: "done" | "gone" | "stopping" }
  /** The last frame. */
  | { readonly kind: "refused"; readonly body: string };

const NORMAL = 1000;
const GOING_AWAY = 1001;

export class WebsocketSession {
  readonly #socket: WebSocket;
  readonly #parts: SessionParts;
  readonly #abort = new AbortController();
  readonly #closed: Promise<void>;
  readonly #cancels = new Set<() => void>();
  #ending: Ending | null = null;
  #isAlive = true;

  constructor(socket: WebSocket, parts: SessionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.once("close", () => this.#end({ kind: "gone" }));
    // Malformed or oversized frames: the connection is closing already.
    socket.on("error", () => this.#end({ kind: "gone" }));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    // Pongs to a peer that does not read would fill the memory; RFC 6455 lets us leave some out.
    socket.on("ping", (data) => {
      if (socket.bufferedAmount <= parts.limits.maxBufferedBytes) socket.pong(data);
    });
  }

  /** Resolves when the websocket is closed; never rejects. */
  async serve(): Promise<void> {
    this.#repeat(this.#parts.limits.pingMilliseconds, () => this.#ping());
    try {
      const request = await this.#request();
      await runInTrace(this.#parts.incoming, () => this.#stream(request));
      this.#end({ kind: "done" });
    } catch (error) {
      // Failures after the end are of no interest.
      if (this.#ending === null) this.#end({ kind: "refused", body: this.#bodyOf(error) });
    }
    await this.#close();
    for (const cancel of this.#cancels) cancel();
  }

  /** For a shutdown: ends at once, also while another frame is being written. */
  stop(): void {
    this.#end({ kind: "stopping" });
    this.#after(CLOSE_MILLISECONDS, () => this.#socket.terminate());
  }

  /** The first frame; later frames are ignored. Null if it never comes. */
  #request(): Promise<string | null> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      const cancel = this.#after(this.#parts.limits.requestMilliseconds, () => this.#refuse("no-request"));
      const stopListening = onAbort(this.#abort.signal, () => resolve(null));
      socket.once("message", (data: RawData, isBinary: boolean) => {
        cancel();
        stopListening();
        if (isBinary) this.#refuse("not-text");
        resolve(isBinary ? null : data.toString());
      });
    });
  }

  async #stream(text: string | null): Promise<void> {
    if (text === null) return;
    const { mount, endpoint, incoming, identity, address, params } = this.#parts;
    const { traceId, method, url, header } = incoming;
    const dialect = dialectOf(mount.api);
    const raw = { params: {}, search: "", contentType: undefined, body: text };
    const request = {
      id: endpoint.id,
      auth: endpoint.auth,
      params,
      query: dialect.query(endpoint, raw),
      body: dialect.body(endpoint, raw),
    };
    const caller = await mount.rules.authorize(endpoint, request, identity, incoming);
    this.#watch(request);
    const { signal } = this.#abort;
    const call = { caller, address, traceId, signal, method, url, header };
    for await (const item of this.#parts.streams.open(endpoint, request, call)) {
      if (signal.aborted) return;
      await this.#send(JSON.stringify(item));
    }
  }

  /** Waits for a slow reader, up to the stall limit. */
  async #send(text: string): Promise<void> {
    const { maxBufferedBytes, stallMilliseconds } = this.#parts.limits;
    const { signal } = this.#abort;
    let goOn: (() => void) | null = null;
    this.#socket.send(text, () => {
      // A reader that reads on is alive, even if its pong is late.
      this.#isAlive = true;
      goOn?.();
    });
    if (this.#socket.bufferedAmount <= maxBufferedBytes || signal.aborted) return;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    goOn = resolve;
    const cancel = this.#after(stallMilliseconds, () => this.#end({ kind: "gone" }));
    const stopListening = onAbort(signal, resolve);
    await drained;
    cancel();
    stopListening();
  }

  /** Ends the stream with its token, and when the user's rights change. */
  #watch(request: AnyRequest): void {
    const { streams, identity, limits } = this.#parts;
    const { tokenExpiresAt, authority } = streams.holderOf(identity);
    if (tokenExpiresAt !== null) this.#endWithToken(tokenExpiresAt * 1000);
    // Unknown if it could not be read: then each check still asks whether the user may read the stream.
    const atFirst = Promise.resolve(authority()).catch(() => undefined);
    let isAsking = false;
    this.#repeat(limits.recheckMilliseconds, async () => {
      if (isAsking) return;
      isAsking = true;
      const now = await this.#authorityNow(request);
      isAsking = false;
      const first = (await atFirst) ?? now;
      if (now === null || (now !== undefined && now !== first)) this.#refuse("rights-changed");
    });
  }

  /** Null if the user may no longer read the stream, undefined if that could not be found out. */
  async #authorityNow(request: AnyRequest): Promise<string | null | undefined> {
    const { mount, endpoint, streams, identity, incoming } = this.#parts;
    try {
      const renewed = await streams.renew(identity);
      await mount.rules.authorize(endpoint, request, renewed, incoming);
      return await streams.holderOf(renewed).authority();
    } catch (error) {
      if (toRejection(error, incoming, this.#parts) !== null) return null;
      // A defect of ours: the next check asks again.
      answerDefect(error, incoming, this.#parts, "the check of a stream's rights failed");
      return undefined;
    }
  }

  #endWithToken(atMilliseconds: number): void {
    const { wallMilliseconds } = this.#parts.system.clock;
    // A timer may fire early: none waits longer than 24 days.
    this.#after(Math.max(atMilliseconds - wallMilliseconds(), 0), () => {
      if (wallMilliseconds() < atMilliseconds) this.#endWithToken(atMilliseconds);
      else this.#refuse("token-expired");
    });
  }

  #ping(): void {
    if (!this.#isAlive) this.#end({ kind: "gone" });
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    this.#isAlive = false;
  }

  #refuse(fault: WebsocketFault): void {
    const { mount, incoming } = this.#parts;
    const { status, body } = refuseWebsocket(mount, fault, incoming.traceId);
    if (this.#ending === null) this.#parts.logRefusal(status, `the stream ended: ${fault}`);
    this.#end({ kind: "refused", body });
  }

  #bodyOf(error: unknown): string {
    const { incoming } = this.#parts;
    const refused = toRejection(error, incoming, this.#parts);
    if (refused !== null) this.#parts.logRefusal(refused.status, reasonOf(error));
    return (refused ?? answerDefect(error, incoming, this.#parts, "a stream failed unexpectedly")).body;
  }

  /** The first ending counts. */
  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#abort.abort();
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    const ending = this.#ending;
    if (ending === null || ending.kind === "gone") socket.terminate();
    else {
      if (ending.kind === "refused") socket.send(ending.body);
      socket.close(ending.kind === "stopping" ? GOING_AWAY : NORMAL);
      this.#after(this.#parts.limits.stallMilliseconds, () => socket.terminate());
    }
    await this.#closed;
  }

  /** Returns a function that cancels it. */
  #after(milliseconds: number, act: () => void): () => void {
    const { timers } = this.#parts.system;
    const cancel = () => {
      timers.clear(timer);
      this.#cancels.delete(cancel);
    };
    const timer = timers.set(() => {
      cancel();
      act();
    }, milliseconds);
    this.#cancels.add(cancel);
    return cancel;
  }

  #repeat(milliseconds: number, act: () => void | Promise<void>): void {
    this.#cancels.add(startInterval(() => void act(), milliseconds, this.#parts.system.timers));
  }
}
