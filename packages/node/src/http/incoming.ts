/** A request's head, as rules and handlers see it. */
import type { IncomingMessage } from "node:http";
import type { Randomness } from "../host/host.ts";
import type { Incoming } from "./call.ts";

export interface ReadIncomingOptions {
  readonly randomness: Randomness;
  /** Taken where the request has no `Authorization` header. */
  readonly authorization?: string | undefined;
}

export function readIncoming(request: IncomingMessage, options: ReadIncomingOptions): Incoming {
  const { headers, method = "", url = "" } = request;
  let traceId: string | undefined;
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
      traceId ??= traceIdOf(headers["traceparent"], options.randomness);
      return traceId;
    },
  };
}

/** The caller's trace id by W3C's rules, where zeros alone are none, or a new one. */
export function traceIdOf(traceparent: string | string[] | undefined, { bytes }: Randomness): string {
  const match = /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent ?? ""));
  return match?.[1] ?? Buffer.from(bytes(16)).toString("hex");
}
