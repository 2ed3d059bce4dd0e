/** A request's head, as rules and handlers see it. */
import type { IncomingMessage } from "node:http";
import type { Randomness } from "../host/host.ts";
import { startTrace, type Trace } from "../observability/trace-context.ts";
import type { Incoming } from "./call.ts";

export interface ReadIncomingOptions {
  readonly randomness: Randomness;
  /** Taken where the request has no `Authorization` header. */
  readonly authorization?: string | undefined;
}

export function readIncoming(request: IncomingMessage, options: ReadIncomingOptions): Incoming {
  const { headers, method = "", url = "" } = request;
  let trace: Trace | undefined;
  return {
    method,
    url,
    authorization: headers.authorization ?? options.authorization,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    // A link may read, but not change anything.
    get accessToken() {
      if (method !== "GET" && method !== "HEAD") return undefined;
      return new URLSearchParams(url.split("?")[1] ?? "").get("access_token") ?? undefined;
    },
    // Most calls end without it.
    get traceId() {
      return this.trace.traceId;
    },
    get trace() {
      trace ??= startTrace(headers["traceparent"], headers["tracestate"], options.randomness);
      return trace;
    },
  };
}
