/** An answer whose bytes are ready. */
import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint, Rejection } from "@callsign/api";

/** Of an operation that takes no token: a success, or a 404. */
export interface ReadyAnswer extends Rejection {
  readonly endpoint: Endpoint;
}

/**
 * The answer to a GET of the target, path and query as they came, without any header that `isPlain` of fast-lane.ts names;
 * headers of its own the API has to look for. Null if the answer is not ready. An error counts as null: the general path
 * meets it again.
 */
export type FindReady = (target: string, headers: IncomingHttpHeaders) => ReadyAnswer | null;
