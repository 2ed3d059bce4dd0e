/** Refusals of handshakes, and the errors that end a stream early, in the words of each API. */
import { ledgerRejection, type Rejection, spliceError } from "@callsign/api";
import { type ErrorCode, ledgerError, wireStatusOf } from "@callsign/ledger";
import type { MountedApi } from "../http/mount-api.ts";

const causes = {
  "no-upgrade": "Expected a websocket: GET is answered here with an upgrade only; POST answers a list",
  "bad-handshake":
    "The websocket's handshake cannot be read: version 13, a key and subprotocols by RFC 6455 are needed",
  "too-many": "The server has as many streams as it can: try again in a second",
  "too-many-of-user": "The user has as many streams as one may have: close one of them first",
  "no-request": "No request has come: the first frame must be its JSON text, sent once the websocket is open",
  "not-text": "The first frame must be the request's JSON in a text frame, not a binary one",
  "token-expired": "The access token has expired: open the stream again with a new one, from the last offset",
  "rights-changed":
    "The user's rights have changed since the stream was opened: open it again, from the last offset",
  stopping: "The server is about to stop: try again in a second",
} as const;

/** Faults without a code here are the JSON layer's: the request never reached the ledger's services. */
const codes: Partial<Record<WebsocketFault, Exclude<ErrorCode, "DAML_FAILURE">>> = {
  "too-many": "MAXIMUM_NUMBER_OF_STREAMS",
  "too-many-of-user": "MAXIMUM_NUMBER_OF_STREAMS",
  "token-expired": "ACCESS_TOKEN_EXPIRED",
  "rights-changed": "STALE_STREAM_AUTHORIZATION",
  stopping: "SERVICE_NOT_RUNNING",
};

export type WebsocketFault = keyof typeof causes;

export function refuseWebsocket(
  { api, participant }: Pick<MountedApi, "api" | "participant">,
  fault: WebsocketFault,
  traceId: string,
): Rejection {
  const code = codes[fault];
  const error = ledgerError(code ?? "INVALID_ARGUMENT", causes[fault]);
  if (api.dialect === "splice") return spliceError(wireStatusOf(error).httpStatus, error.cause);
  const node = participant === undefined ? {} : { participant };
  return ledgerRejection(error, code === undefined ? { traceId, layer: "json" } : { traceId, ...node });
}
