/**
 * The fast lane: answers whose bytes are ready. An API that knows an answer by the request's target alone gives it before the
 * request is routed and decoded. The lane takes a request only where the general path would give the same answer with the
 * same headers, and leaves every other one to the general path (decision 0069).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { CallSetting } from "./arrival.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { isLong } from "./compression.ts";
import { readIncoming } from "./incoming.ts";
import type { MountedApi } from "./mount-api.ts";
import { hasBody } from "./read-body.ts";
import type { FindReady, ReadyAnswer } from "./ready-answer.ts";
import { writeAnswer, writeContent } from "./write-answer.ts";

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
  readonly #lanes: readonly { readonly mount: MountedApi; readonly find: FindReady }[];

  constructor(mounts: readonly MountedApi[], setting: CallSetting, metrics: CallMetrics | undefined) {
    this.#setting = setting;
    this.#metrics = metrics;
    this.#lanes = mounts.flatMap((mount) =>
      mount.findReady === undefined ? [] : [{ mount, find: mount.findReady }],
    );
  }

  /** Changes nothing: the request may still be refused, or take the general path. */
  find(request: IncomingMessage): FoundReady | null {
    if (this.#lanes.length === 0 || !isPlain(request)) return null;
    const { calls, maxCalls, findForeign } = this.#setting;
    const { headers, url = "" } = request;
    if (calls.count >= maxCalls || findForeign(headers.host, undefined) !== null) return null;
    for (const { mount, find } of this.#lanes) {
      const answer = findOrNull(find, url, headers);
      if (answer === null) continue;
      return mayBeCompressed(answer, headers) ? null : { mount, answer };
    }
    return null;
  }

  write({ mount, answer }: FoundReady, { request, response, began }: ReadyExchange): void {
    const { endpoint, status, body } = answer;
    const { refusals, system } = this.#setting;
    const incoming = request.headers["traceparent"] === undefined ? null : readIncoming(request, system);
    if (status < 300) void writeContent(response, answer, { incoming, mount });
    else writeAnswer(response, answer, { incoming, mount });
    if (status >= 400)
      refusals.write(status, "operation", () => ({
        traceId: (incoming ?? readIncoming(request, system)).traceId,
        operation: endpoint.id,
        address: callerAddressOf(request.socket),
        reason: body,
      }));
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
