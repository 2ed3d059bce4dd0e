import type { ServerResponse } from "node:http";
import type { Rejection } from "@callsign/api";
import type { Incoming } from "./call.ts";
import { corsHeaders } from "./cors.ts";
import type { MountedApi } from "./mount-api.ts";

interface AnsweredCall {
  readonly incoming: Incoming;
  readonly mount?: MountedApi;
  /** True if the answer names the trace also to a caller who did not. */
  readonly isRefused?: boolean;
}

const NO_HEADERS = {};

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
  response
    .writeHead(status, {
      ...corsHeaders(origin),
      ...mount?.headers?.(),
      ...(isRefused || traceparent !== undefined ? { traceparent: incoming.trace.traceparent } : NO_HEADERS),
      ...headers,
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}
