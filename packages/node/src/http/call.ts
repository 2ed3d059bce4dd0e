/** One call of an API, before and after its caller is known. */
import type { Trace } from "../observability/trace-context.ts";

/** The head of a request, before anything is decoded. */
export interface Incoming {
  readonly authorization: string | undefined;
  /** The query parameter `access_token`: browsers cannot set a header everywhere. */
  readonly accessToken: string | undefined;
  readonly header: (name: string) => string | undefined;
  /** 32 hex digits: the caller's, or made for this call. */
  readonly traceId: string;
  /** The trace that calls on behalf of this one belong to. */
  readonly trace: Trace;
  readonly method: string;
  readonly url: string;
}

export interface Call<Caller> extends Pick<Incoming, "traceId" | "method" | "url" | "header"> {
  readonly caller: Caller;
  /** The address that the caller is counted by. */
  readonly address: string;
  /** Aborted when the caller has gone, or the time is over. */
  readonly signal: AbortSignal;
}
