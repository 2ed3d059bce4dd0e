/**
 * One websocket from its handshake to its end: the request in one text frame, the items in one each, and at the end a
 * normal close, after an error's body where there was one. A reader is never sent faster than they read, and a stream
 * lasts no longer than its token and its user's rights.
 */
import type { AnyRequest } from "@callsign/api";
import type { RawData, WebSocket } from "ws";
import type { Incoming } from "../http/call.ts";
import { dialectOf, type Operation, rejectionOf } from "../http/dialect.ts";
import type { MountedApi } from "../http/mount-api.ts";
import type { Log } from "../observability/log.ts";
import type { WebsocketLimits } from "./websocket-limits.ts";
import { refuseWebsocket, type WebsocketFault } from "./websocket-refusals.ts";

export interface SessionParts extends Operation {
  readonly params: unknown;
  readonly incoming: Incoming;
  /** As it was at the handshake. */
  readonly identity: unknown;
  readonly limits: WebsocketLimits;
  readonly log: Log;
}

type Ending =
  | { readonly kind: "done" | "gone" | "stopping" }
  /** What the reader is told last. */
  | { readonly kind: "refused"; readonly body: string };

const NORMAL = 1000;
const GOING_AWAY = 1001;
/** How long the peer may take to answer a close. */
const CLOSE_MILLISECONDS = 1000;
/** The longest that one timer can wait. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

export class WebsocketSession {
  readonly #socket: WebSocket;
  readonly #parts: SessionParts;
  readonly #abort = new AbortController();
  readonly #closed: Promise<void>;
  readonly #timers = new Set<NodeJS.Timeout>();
  #ending: Ending | null = null;
  #isAlive = true;

  constructor(socket: WebSocket, parts: SessionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.once("close", () => this.#end({ kind: "gone" }));
    // Frames that are none, or too large: the connection is being closed already.
    socket.on("error", () => this.#end({ kind: "gone" }));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    // Whoever pings and does not read would fill the memory; the pings that are left out need no answer.
    socket.on("ping", (data) => {
      if (socket.bufferedAmount <= parts.limits.maxBufferedBytes) socket.pong(data);
    });
  }

  /** Resolves when the websocket is closed; never rejects. */
  async serve(): Promise<void> {
    this.#repeat(this.#parts.limits.pingMilliseconds, () => this.#ping());
    try {
      await this.#stream(await this.#request());
      this.#end({ kind: "done" });
    } catch (error) {
      // What breaks because it has ended already is of no interest.
      if (this.#ending === null) this.#end({ kind: "refused", body: this.#bodyOf(error) });
    }
    await this.#close();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** At once, also for a reader who is just being told something else. */
  stop(): void {
    this.#end({ kind: "stopping" });
    this.#after(CLOSE_MILLISECONDS, () => this.#socket.terminate());
  }

  /** The first frame; whatever follows it is not looked at. */
  #request(): Promise<string | null> {
    const socket = this.#socket;
    const { signal } = this.#abort;
    return new Promise((resolve) => {
      const late = this.#after(this.#parts.limits.requestMilliseconds, () => this.#refuse("no-request"));
      const end = () => resolve(null);
      signal.addEventListener("abort", end, { once: true });
      socket.once("message", (data: RawData, isBinary: boolean) => {
        this.#cancel(late);
        signal.removeEventListener("abort", end);
        if (isBinary) this.#refuse("not-text");
        resolve(isBinary ? null : data.toString());
      });
    });
  }

  async #stream(text: string | null): Promise<void> {
    if (text === null) return;
    const { mount, endpoint, incoming, identity, params } = this.#parts;
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
    const call = { caller, traceId, signal, method, url, header };
    for await (const item of this.#streams.open(endpoint, request, call)) {
      if (signal.aborted) return;
      await this.#send(JSON.stringify(item));
    }
  }

  /** Waits where the reader is behind; gives a reader up who takes nothing any more. */
  async #send(text: string): Promise<void> {
    const { maxBufferedBytes, stallMilliseconds } = this.#parts.limits;
    const { signal } = this.#abort;
    let goOn: (() => void) | null = null;
    this.#socket.send(text, () => {
      // Who reads on is there, however far behind an answer to a ping may be.
      this.#isAlive = true;
      goOn?.();
    });
    if (this.#socket.bufferedAmount <= maxBufferedBytes || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const stalled = this.#after(stallMilliseconds, () => this.#end({ kind: "gone" }));
      const end = () => {
        this.#cancel(stalled);
        signal.removeEventListener("abort", end);
        resolve();
      };
      signal.addEventListener("abort", end);
      goOn = end;
    });
  }

  /** The stream ends with the token, and when the user's rights have become others. */
  #watch(request: AnyRequest): void {
    const { identity, limits } = this.#parts;
    const { tokenExpiresAt, authority } = this.#streams.holderOf(identity);
    if (tokenExpiresAt !== null) this.#endWithToken(tokenExpiresAt * 1000);
    const atFirst = authority();
    let isAsking = false;
    this.#repeat(limits.recheckMilliseconds, async () => {
      if (isAsking) return;
      isAsking = true;
      const now = await this.#authorityNow(request);
      isAsking = false;
      if (now !== atFirst) this.#refuse("rights-changed");
    });
  }

  /** Null where the user may not have the stream any more. */
  async #authorityNow(request: AnyRequest): Promise<string | null> {
    const { mount, endpoint, identity, incoming, log } = this.#parts;
    const { authority } = this.#streams.holderOf(identity);
    try {
      const renewed = await this.#streams.renew(identity);
      await mount.rules.authorize(endpoint, request, renewed, incoming);
      return this.#streams.holderOf(renewed).authority();
    } catch (error) {
      if (rejectionOf(error, incoming.traceId, this.#parts) !== null) return null;
      // Not the caller's fault: asked again next time.
      log.error(
        { operation: endpoint.id, error: error instanceof Error ? error.stack : error },
        "a stream's rights could not be looked at",
      );
      return authority();
    }
  }

  #endWithToken(atMilliseconds: number): void {
    const left = atMilliseconds - Date.now();
    this.#after(Math.min(Math.max(left, 0), MAX_TIMER_MILLISECONDS), () => {
      if (Date.now() < atMilliseconds) this.#endWithToken(atMilliseconds);
      else this.#refuse("token-expired");
    });
  }

  #ping(): void {
    if (!this.#isAlive) this.#end({ kind: "gone" });
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    this.#isAlive = false;
  }

  get #streams(): NonNullable<MountedApi["streams"]> {
    const { streams } = this.#parts.mount;
    if (streams === undefined) throw new Error("the API has no streams");
    return streams;
  }

  #refuse(fault: WebsocketFault): void {
    const { mount, incoming } = this.#parts;
    const { body } = refuseWebsocket(mount, fault, incoming.traceId);
    this.#end({ kind: "refused", body });
  }

  #bodyOf(error: unknown): string {
    const { mount, endpoint, incoming, log } = this.#parts;
    const { traceId } = incoming;
    const refused = rejectionOf(error, traceId, this.#parts);
    if (refused !== null) return refused.body;
    log.error(
      { correlationId: traceId, operation: endpoint.id, error: error instanceof Error ? error.stack : error },
      "a stream failed unexpectedly",
    );
    return dialectOf(mount.api).defect(traceId).body;
  }

  /** What happens first decides how it ends. */
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

  #after(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }

  #repeat(milliseconds: number, act: () => void | Promise<void>): void {
    this.#timers.add(setInterval(() => void act(), milliseconds));
  }
}
