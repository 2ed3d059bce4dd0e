/** An answer whose bytes are ready. */
import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint, Rejection } from "@callsign/api";

/** A success; a 404 only of an operation that takes no token. */
export interface ReadyAnswer extends Rejection {
  readonly endpoint: Endpoint;
  /** The user of the token by which the API has let the caller in, where the operation takes one. */
  readonly user?: string;
}

/**
 * The answer to a GET of the target, path and query as they came, without any header that `isPlain` of fast-lane.ts names;
 * headers of its own the API has to look for. Null if the answer is not ready. An error counts as null: the general path
 * meets it again.
 */
export type FindReady = (target: string, headers: IncomingHttpHeaders) => ReadyAnswer | null;
