import type { ServerResponse } from "node:http";
import type { Rejection } from "@callsign/api";
import { corsHeaders } from "./cors.ts";
import type { MountedApi } from "./mount-api.ts";

/**
 * Writes an answer of an API, for pages of any origin, with the headers that the API adds to all of its answers. The
 * first answer to a request counts; a later one is dropped.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: Rejection,
  mount?: MountedApi,
): void {
  if (response.headersSent) return;
  const { origin } = response.req.headers;
  response
    .writeHead(status, {
      ...corsHeaders(origin),
      ...mount?.headers?.(),
      ...headers,
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}
