/** Refusals of handshakes, and the errors that end a stream early, in the words of each API. */
import { ledgerRejection, type Rejection, spliceError } from "@callsign/api";
import { ledgerError, wireStatusOf } from "@callsign/ledger";
import type { MountedApi } from "../http/mount-api.ts";

interface Fault {
  readonly code:
    | "INVALID_ARGUMENT"
    | "MAXIMUM_NUMBER_OF_STREAMS"
    | "ACCESS_TOKEN_EXPIRED"
    | "STALE_STREAM_AUTHORIZATION"
    | "SERVICE_NOT_RUNNING";
  readonly cause: string;
  /** The JSON layer refuses, before the ledger's services. */
  readonly layer?: "json";
}

const faults = {
  "no-upgrade": {
    code: "INVALID_ARGUMENT",
    cause: "Expected a websocket: GET is answered here with an upgrade only; POST answers a list",
    layer: "json",
  },
  "bad-handshake": {
    code: "INVALID_ARGUMENT",
    cause:
      "The websocket's handshake cannot be read: version 13, a key and subprotocols by RFC 6455 are needed",
    layer: "json",
  },
  "too-many": {
    code: "MAXIMUM_NUMBER_OF_STREAMS",
    cause: "The server has as many streams as it can: try again in a second",
  },
  "too-many-of-user": {
    code: "MAXIMUM_NUMBER_OF_STREAMS",
    cause: "The user has as many streams as one may have: close one of them first",
  },
  "no-request": {
    code: "INVALID_ARGUMENT",
    cause: "No request has come: the first frame must be its JSON text, sent once the websocket is open",
    layer: "json",
  },
  "not-text": {
    code: "INVALID_ARGUMENT",
    cause: "The first frame must be the request's JSON in a text frame, not a binary one",
    layer: "json",
  },
  "token-expired": {
    code: "ACCESS_TOKEN_EXPIRED",
    cause: "The access token has expired: open the stream again with a new one, from the last offset",
  },
  "rights-changed": {
    code: "STALE_STREAM_AUTHORIZATION",
    cause: "The user's rights have changed since the stream was opened: open it again, from the last offset",
  },
  stopping: {
    code: "SERVICE_NOT_RUNNING",
    cause: "The server is about to stop: try again in a second",
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type WebsocketFault = keyof typeof faults;

export function refuseWebsocket(
  { api, participant }: Pick<MountedApi, "api" | "participant">,
  fault: WebsocketFault,
  traceId: string,
): Rejection {
  const { code, cause, layer }: Fault = faults[fault];
  const error = ledgerError(code, cause);
  if (api.dialect === "splice") return spliceError(wireStatusOf(error).httpStatus, cause);
  const node = participant === undefined ? {} : { participant };
  return ledgerRejection(error, layer === undefined ? { traceId, ...node } : { traceId, layer });
}
