/** The end of a call: what its handler answered, or why it was refused. */
import type { Endpoint, Rejection } from "@callsign/api";
import { type Answer, RawJson, Reply } from "./answer.ts";
import type { Arrival } from "./arrival.ts";
import { endAudit } from "./audit-record.ts";
import { callerAddressOf } from "./caller-address.ts";
import { answerDefect, toRejection } from "./dialect.ts";
import { isHealthCall, warningHeader } from "./health.ts";
import { HangUp } from "./refusal.ts";
import { reasonOf } from "./refusal-log.ts";
import { writeAnswer, writeContent } from "./write-answer.ts";

const JSON_TYPE = { "content-type": "application/json" };
const TEXT_TYPE = { "content-type": "text/plain; charset=UTF-8" };
const NO_HEADERS = {};

export function writeSuccess(arrival: Arrival, given: Answer<Endpoint>): void | Promise<void> {
  const { mount, endpoint, response, incoming, setting } = arrival;
  const { success, successStatus = 200 } = endpoint;
  const isReply = given instanceof Reply;
  const answer = isReply ? given.answer : given;
  const isJson = answer instanceof RawJson || success.kind === "json";
  const type = isJson ? JSON_TYPE : success.kind === "text" ? TEXT_TYPE : NO_HEADERS;
  const warning = warningHeader(endpoint, setting.warning());
  const own = isReply ? given.headers : NO_HEADERS;
  const headers = own === NO_HEADERS && warning === null ? type : { ...own, ...type, ...warning };
  const status = isReply ? given.status : successStatus;
  const body = bodyOf(answer, endpoint);
  const content = { status, headers, body };
  // A handler may answer with an error status, too.
  if (status < 300) return writeContent(response, content, { incoming, mount });
  writeAnswer(response, content, { incoming, mount });
}

export function bodyOf(answer: unknown, { success }: Endpoint): string | Buffer {
  if (answer instanceof RawJson) return answer.text;
  if (success.kind === "json") return JSON.stringify(answer);
  return success.kind === "text" ? String(answer) : "";
}

export function writeError(arrival: Arrival, error: unknown): void {
  const { request, response, incoming, mount, endpoint, setting } = arrival;
  if (response.headersSent)
    return void setting.log.debug({ operation: endpoint.id, error }, "call failed after its answer was sent");
  const refused = toRejection(error, incoming, arrival);
  // A change may have been made although its caller has gone.
  endAudit(arrival, { status: refused?.status ?? 500, error });
  // A connection that has gone reads no answer.
  if (error instanceof HangUp || request.socket.destroyed) return void request.socket.destroy();
  if (refused === null)
    return void writeAnswer(response, defect(arrival, error), { incoming, mount, isRefused: true });
  logRefusal(arrival, refused.status, () => reasonOf(error));
  const isRefused = refused.status !== 404 && !isHealthCall(endpoint);
  writeAnswer(response, refused, { incoming, mount, isRefused });
}

export function logRefusal(
  { request, incoming, endpoint, setting, user }: Arrival,
  status: number,
  reason: () => string,
): void {
  if (isHealthCall(endpoint)) return;
  setting.refusals.write(status, "operation", () => ({
    traceId: incoming.traceId,
    operation: endpoint.id,
    user,
    address: callerAddressOf(request.socket),
    reason: reason(),
  }));
}

function defect({ mount, endpoint, incoming, setting }: Arrival, error: unknown): Rejection {
  const operation = { mount, endpoint, log: setting.log };
  const answer = answerDefect(error, incoming, operation, "an operation failed unexpectedly");
  return { ...answer, headers: { ...answer.headers, "x-correlation-id": incoming.traceId } };
}
