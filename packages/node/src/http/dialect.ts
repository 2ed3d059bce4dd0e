/** The two kinds of APIs: each reads and refuses requests in its own way. */
import {
  type Api,
  bodyTooLarge,
  type Endpoint,
  ledgerRejection,
  parseLedgerBody,
  parseLedgerParams,
  parseLedgerQuery,
  parseSpliceBody,
  parseSpliceParams,
  parseSpliceQuery,
  type RawRequest,
  type Received,
  type Rejection,
  spliceError,
  tooManyRequests,
  tooSlow,
  unexpectedError,
  unknownLedgerPath,
  unknownPath,
  wrongLedgerMethod,
  wrongMethod,
} from "@callsign/api";
import { type ErrorCode, type LedgerError, ledgerError } from "@callsign/ledger";
import { StoreUnwritable } from "../database/store-errors.ts";
import type { Log } from "../observability/log.ts";
import type { Incoming } from "./call.ts";
import type { MountedApi } from "./mount-api.ts";
import { LedgerFailure, Refusal } from "./refusal.ts";

export interface Dialect {
  /** True if query parameters are read before the token. */
  readonly queryBeforeToken: boolean;
  /** True if the `Accept` header is checked. */
  readonly checksAccept: boolean;
  readonly params: (endpoint: Endpoint, raw: RawRequest) => unknown;
  readonly query: (endpoint: Endpoint, raw: RawRequest) => unknown;
  readonly body: (endpoint: Endpoint, raw: RawRequest) => unknown;
  readonly unknownPath: (method: string, url: string) => Rejection;
  readonly wrongMethod: (allowed: readonly string[]) => Rejection;
  readonly malformedTarget: (traceId: string) => Rejection;
  /** A request that is not HTTP as it is read here; the reason is a word of Node's or ours. */
  readonly unreadable: (status: number, reason: string, traceId: string) => Rejection;
  readonly tooLarge: (traceId: string, limit: number) => Rejection;
  readonly tooSlow: (method: string, url: string, traceId: string) => Rejection;
  readonly overloaded: (traceId: string) => Rejection;
  /** One caller calls more often than it may. */
  readonly tooOften: (traceId: string, retryAfterSeconds: number) => Rejection;
  /** Nothing can be written at present. */
  readonly unwritable: (traceId: string) => Rejection;
  /** A foreign page or host name sent the caller here. */
  readonly foreign: (what: "host" | "origin", traceId: string) => Rejection;
  readonly defect: (traceId: string) => Rejection;
}

const splice: Dialect = {
  queryBeforeToken: false,
  checksAccept: false,
  params: (endpoint, raw) => orRefusal(parseSpliceParams(endpoint, raw.params)),
  query: (endpoint, raw) => orRefusal(parseSpliceQuery(endpoint, raw.search)),
  body: (endpoint, raw) => orRefusal(parseSpliceBody(endpoint, raw)),
  unknownPath: (_, url) => unknownPath(url),
  wrongMethod,
  malformedTarget: () => spliceError(400, "The path is not valid percent-encoded UTF-8"),
  unreadable: (status, reason) => spliceError(status, `The request cannot be read: ${reason}`),
  tooLarge: bodyTooLarge,
  tooSlow: (method, url) => tooSlow(method, url),
  overloaded: tooManyRequests,
  tooOften: (_, seconds) => retryAfter(seconds, tooManyRequests()),
  unwritable: () => spliceError(503, UNWRITABLE),
  foreign: (what) => spliceError(403, foreignText(what)),
  defect: unexpectedError,
};

const ledger: Dialect = {
  queryBeforeToken: true,
  checksAccept: true,
  params: (endpoint, raw) => orFailure(parseLedgerParams(endpoint, raw.params)),
  query: (endpoint, raw) => orFailure(parseLedgerQuery(endpoint, raw.search)),
  body: (endpoint, raw) => orFailure(parseLedgerBody(endpoint, raw.body)),
  unknownPath: unknownLedgerPath,
  wrongMethod: wrongLedgerMethod,
  malformedTarget: (traceId) =>
    refuse(traceId, "INVALID_ARGUMENT", "The path is not valid percent-encoded UTF-8"),
  unreadable: (status, reason, traceId) => ({
    ...refuse(traceId, "INVALID_ARGUMENT", `The request cannot be read: ${reason}`),
    status,
  }),
  tooLarge: (traceId, limit) => ({
    ...refuse(traceId, "INVALID_ARGUMENT", `The body exceeded size limit: at most ${limit} bytes are read`),
    status: 413,
  }),
  tooSlow: (_method, _url, traceId) => {
    const cause = "The request was not answered in time; whether it took effect is not known: ask again";
    return refuse(traceId, "REQUEST_DEADLINE_EXCEEDED", cause);
  },
  overloaded: (traceId) => {
    const cause = "Too many requests are being answered: try again in a second";
    return refuse(traceId, "PARTICIPANT_BACKPRESSURE", cause);
  },
  tooOften: (traceId, seconds) => {
    const cause = `You call more often than this server allows: try again in ${seconds} s`;
    return { ...retryAfter(seconds, refuse(traceId, "PARTICIPANT_BACKPRESSURE", cause)), status: 429 };
  },
  unwritable: (traceId) => refuse(traceId, "SERVICE_NOT_RUNNING", UNWRITABLE),
  foreign: (what, traceId) => refuse(traceId, "PERMISSION_DENIED", foreignText(what)),
  defect: (traceId) => refuse(traceId, "LEDGER_API_INTERNAL_ERROR", "An unexpected error occurred"),
};

const UNWRITABLE =
  "The node cannot write to its disk or database at present. Its operator finds the reason in its log; " +
  "look whether the change was made, and try again when there is room";

function foreignText(what: "host" | "origin"): string {
  return what === "host"
    ? "This server listens for this machine only, and answers to localhost, names below it and loopback addresses"
    : "This server listens for this machine only, and takes no requests from pages of other origins";
}

export function dialectOf(api: Api): Dialect {
  return api.dialect === "ledger" ? ledger : splice;
}

/** The answer to an error that a handler or a rule has thrown; null for a defect. */
export function toRejection(
  error: unknown,
  incoming: Pick<Incoming, "traceId">,
  { mount, endpoint }: Operation,
): Rejection | null {
  if (error instanceof Refusal) return error.rejection;
  if (!(error instanceof LedgerFailure)) {
    const mapped = mount.rejectionOf?.(error, endpoint) ?? null;
    return mapped === null && error instanceof StoreUnwritable
      ? dialectOf(mount.api).unwritable(incoming.traceId)
      : mapped;
  }
  const node = mount.participant === undefined ? {} : { participant: mount.participant };
  return ledgerRejection(error.error, { traceId: incoming.traceId, ...node, ...error.occasion });
}

/** The answer to an error that nobody maps: the caller learns the id alone, the log the rest. */
export function answerDefect(
  error: unknown,
  { traceId }: Pick<Incoming, "traceId">,
  { mount, endpoint, log }: Operation & { readonly log: Log },
  message: string,
): Rejection {
  log.error(
    { traceId, operation: endpoint.id, error: error instanceof Error ? error.stack : error },
    message,
  );
  return dialectOf(mount.api).defect(traceId);
}

/** An operation of a mounted API. */
export interface Operation {
  readonly mount: MountedApi;
  readonly endpoint: Endpoint;
}

function retryAfter(seconds: number, rejection: Rejection): Rejection {
  return { ...rejection, headers: { ...rejection.headers, "retry-after": String(seconds) } };
}

/** An error of the JSON layer. */
function refuse(traceId: string, code: Exclude<ErrorCode, "DAML_FAILURE">, cause: string): Rejection {
  return ledgerRejection(ledgerError(code, cause), { traceId, layer: "json" });
}

function orRefusal<T>(received: Received<T, Rejection>): T {
  if (received.ok) return received.value;
  throw new Refusal(received.refusal);
}

function orFailure<T>(received: Received<T, LedgerError>): T {
  if (received.ok) return received.value;
  throw new LedgerFailure(received.refusal, { layer: "json" });
}
