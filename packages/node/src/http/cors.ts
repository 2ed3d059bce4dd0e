/**
 * Lets pages of other origins call, as Splice's applications do: the origin is echoed, credentials and any header are
 * allowed. Which origins may come at all is decided before (see local-caller.ts); calls carry tokens, never cookies.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AGREED_SCANS_HEADER, RECORD_TIME_HEADER } from "@callsign/api";
import { PREFLIGHT_MAX_AGE_SECONDS } from "./limits.ts";
import { isOrigin } from "./local-caller.ts";

type Headers = Readonly<Record<string, string>>;

const NONE: Headers = {};
const EXPOSED = `etag, traceparent, retry-after, ${RECORD_TIME_HEADER}, ${AGREED_SCANS_HEADER}`;
const METHODS = "DELETE, GET, PATCH, POST, PUT, HEAD, OPTIONS";

/** Headers of every answer to a page. A malformed origin is ignored. */
export function corsHeaders(origin: string | undefined): Headers {
  if (origin === undefined || !isOrigin(origin)) return NONE;
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSED,
    vary: "origin",
  };
}

/** The answer to a preflight; null for any other request. */
export function preflightHeaders(method: string, headers: IncomingHttpHeaders): Headers | null {
  const { origin } = headers;
  const asked = headers["access-control-request-method"];
  if (method !== "OPTIONS" || origin === undefined || !isOrigin(origin) || asked === undefined) return null;
  const wanted = headers["access-control-request-headers"];
  return {
    ...corsHeaders(origin),
    "access-control-allow-methods": METHODS,
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_SECONDS),
  };
}
