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

type Head = Pick<IncomingMessage, "headers" | "method" | "url">;

export function readIncoming(request: Head, options: ReadIncomingOptions): Incoming {
  return new RequestHead(request, options);
}

/** A class: an object with getters of its own takes long to make, and every call has one. */
class RequestHead implements Incoming {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly #request: Head;
  readonly #randomness: Randomness;
  #trace: Trace | undefined;

  constructor(request: Head, { authorization, randomness }: ReadIncomingOptions) {
    const { headers, method = "", url = "" } = request;
    this.method = method;
    this.url = url;
    this.authorization = headers.authorization ?? authorization;
    this.header = (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    this.#request = request;
    this.#randomness = randomness;
  }

  /** A link may read, but not change anything. */
  get accessToken(): string | undefined {
    const { method, url } = this;
    if (method !== "GET" && method !== "HEAD") return undefined;
    return new URLSearchParams(url.split("?")[1] ?? "").get("access_token") ?? undefined;
  }

  get traceId(): string {
    return this.trace.traceId;
  }

  /** Made when it is first asked for: most calls end without. */
  get trace(): Trace {
    const { headers } = this.#request;
    this.#trace ??= startTrace(headers["traceparent"], headers["tracestate"], this.#randomness);
    return this.#trace;
  }
}
