import type { ServerResponse } from "node:http";
import type { Rejection } from "@callsign/api";
import type { Incoming } from "./call.ts";
import { corsHeaders } from "./cors.ts";
import type { MountedApi } from "./mount-api.ts";

interface AnsweredCall {
  /** Null if the answer names no trace. */
  readonly incoming: Pick<Incoming, "trace"> | null;
  readonly mount?: MountedApi;
  /** True if the answer names the trace also to a caller who did not. */
  readonly isRefused?: boolean;
}

/**
 * Writes an answer of an API, for pages of any origin, with the headers that the API adds to all of its answers. The
 * first answer to a request counts; a later one is dropped.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: Rejection,
  { incoming, mount, isRefused = false }: AnsweredCall,
): void {
  if (response.headersSent) return;
  const { origin, traceparent } = response.req.headers;
  const all: Record<string, string | number> = {};
  if (origin !== undefined) Object.assign(all, corsHeaders(origin));
  if (mount?.headers !== undefined) Object.assign(all, mount.headers());
  if (incoming !== null && (isRefused || traceparent !== undefined))
    all["traceparent"] = incoming.trace.traceparent;
  Object.assign(all, headers);
  all["content-length"] = Buffer.byteLength(body);
  response.writeHead(status, all).end(body);
}
