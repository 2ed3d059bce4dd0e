/**
 * The fast lane: answers whose bytes are ready. An API that knows an answer by the request's target alone gives it before the
 * request is routed and decoded. The lane takes a request only where the general path would give the same answer with the
 * same headers, and leaves every other one to the general path (decision 0069).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { ChannelAnswer, ChannelQuestion } from "@callsign/api";
import { startTrace } from "../observability/trace-context.ts";
import type { CallSetting } from "./arrival.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { isLong } from "./compression.ts";
import { ConnectionHeaders } from "./connection-headers.ts";
import { readIncoming } from "./incoming.ts";
import type { MountedApi } from "./mount-api.ts";
import type { PlainHead } from "./plain-head.ts";
import { formatAnswer } from "./raw-answer.ts";
import { hasBody } from "./read-body.ts";
import type { FindReady, ReadyAnswer } from "./ready-answer.ts";
import { linesAsSent, writeAnswer, writeContent } from "./write-answer.ts";

export interface FoundReady {
  readonly mount: MountedApi;
  readonly answer: ReadyAnswer;
}

interface ReadyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Milliseconds of the clock that never goes back. */
  readonly began: number;
}

export class FastLane {
  readonly #setting: CallSetting;
  readonly #metrics: CallMetrics | undefined;
  readonly #connection: ConnectionHeaders;
  readonly #lanes: readonly { readonly mount: MountedApi; readonly find: FindReady }[];

  constructor(mounts: readonly MountedApi[], setting: CallSetting, metrics: CallMetrics | undefined) {
    this.#setting = setting;
    this.#metrics = metrics;
    this.#connection = new ConnectionHeaders(setting.system.clock);
    this.#lanes = mounts.flatMap((mount) =>
      mount.findReady === undefined ? [] : [{ mount, find: mount.findReady }],
    );
  }

  /** True if an API of the port has ready answers at all. */
  get isUsed(): boolean {
    return this.#lanes.length > 0;
  }

  /** Changes nothing: the request may still be refused, or take the general path. */
  find(request: IncomingMessage): FoundReady | null {
    if (this.#lanes.length === 0 || !isPlain(request)) return null;
    return this.#find(request.url ?? "", request.headers);
  }

  #find(url: string, headers: IncomingHttpHeaders): FoundReady | null {
    const { calls, maxCalls, findForeign, rates } = this.#setting;
    if (calls.count >= maxCalls || findForeign(headers.host, undefined) !== null) return null;
    for (const { mount, find } of this.#lanes) {
      const answer = findOrNull(find, url, headers);
      if (answer === null) continue;
      const isRefused = answer.user !== undefined && rates.isUserSpent(answer.user);
      return isRefused || mayBeCompressed(answer, headers) ? null : { mount, answer };
    }
    return null;
  }

  write({ mount, answer }: FoundReady, { request, response, began }: ReadyExchange): void {
    const { status } = answer;
    const { system } = this.#setting;
    const incoming = request.headers["traceparent"] === undefined ? null : readIncoming(request, system);
    if (status < 300) void writeContent(response, answer, { incoming, mount });
    else writeAnswer(response, answer, { incoming, mount });
    this.#count(mount, answer, {
      began,
      address: callerAddressOf(request.socket),
      traceId: () => (incoming ?? readIncoming(request, system)).traceId,
    });
  }

  /** The whole answer, with its head, to a request in the plainest form; null if only `node:http` can serve it. */
  answerHead({ target: url, headers }: PlainHead, address: string): string | null {
    const { rates, system } = this.#setting;
    const began = system.clock.elapsedMilliseconds();
    const found = this.#find(url, headers);
    if (found === null || rates.isSpent(address)) return null;
    rates.countAddress(address);
    const { mount, answer } = found;
    const head = { method: "GET", url, headers };
    const incoming = headers["traceparent"] === undefined ? null : readIncoming(head, system);
    const lines = linesAsSent(headers, answer, { incoming, mount }) + this.#connection.linesAt(began);
    const text = formatAnswer(answer.status, lines, answer.body);
    const traceId = () => (incoming ?? readIncoming(head, system)).traceId;
    this.#count(mount, answer, { began, address, traceId });
    return text;
  }

  /** The answer to a question of a lookup channel; null if it has to be sent as a request. */
  answer(mount: MountedApi, { target, headers }: ChannelQuestion, address: string): ChannelAnswer | null {
    const { calls, maxCalls, rates, system } = this.#setting;
    const began = system.clock.elapsedMilliseconds();
    if (mount.findReady === undefined || calls.count >= maxCalls) return null;
    const answer = findOrNull(mount.findReady, target, headers);
    // On a channel no caller is asked for a token.
    if (answer === null || answer.user !== undefined || rates.isSpent(address)) return null;
    rates.countAddress(address);
    const traceId = () => startTrace(headers["traceparent"], undefined, system.randomness).traceId;
    this.#count(mount, answer, { began, address, traceId });
    return { status: answer.status, headers: mount.headers?.() ?? {}, body: answer.body };
  }

  #count(
    mount: MountedApi,
    { endpoint, status, body, user }: ReadyAnswer,
    call: { readonly began: number; readonly address: string; readonly traceId: () => string },
  ): void {
    const { began, address, traceId } = call;
    mount.onReady?.(endpoint);
    if (user !== undefined) this.#setting.rates.countUser(user);
    if (status >= 400)
      this.#setting.refusals.write(status, "operation", () => {
        return { traceId: traceId(), operation: endpoint.id, address, reason: body };
      });
    this.#metrics?.record(mount, endpoint, { status, began });
  }
}

/** True for a GET without a body and without headers that change the answer of any API. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return (
    method === "GET" &&
    headers.origin === undefined &&
    headers["content-type"] === undefined &&
    headers["if-none-match"] === undefined &&
    !hasBody(request)
  );
}

/** The general path waits for the compression. */
function mayBeCompressed({ body }: ReadyAnswer, headers: IncomingHttpHeaders): boolean {
  return headers["accept-encoding"] !== undefined && isLong(Buffer.byteLength(body));
}

function findOrNull(find: FindReady, target: string, headers: IncomingHttpHeaders): ReadyAnswer | null {
  try {
    return find(target, headers);
  } catch {
    return null;
  }
}
