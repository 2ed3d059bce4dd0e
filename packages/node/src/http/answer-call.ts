/** One call from its route to its answer, in the order of its API: path, token, query, body, rule, handler. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnyRequest, Endpoint, RawRequest, Rejection } from "@callsign/api";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { runInTrace } from "../observability/trace-context.ts";
import { isAccepted } from "./accept.ts";
import { type Answer, RawJson, Reply } from "./answer.ts";
import { beginAudit, endAudit } from "./audit-record.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Call, Incoming } from "./call.ts";
import { callerAddressOf } from "./caller-address.ts";
import type { CallerRates } from "./caller-rates.ts";
import type { CallEnd, Calls } from "./calls.ts";
import { countUser } from "./count-user.ts";
import { answerDefect, dialectOf, toRejection } from "./dialect.ts";
import { isHealthCall, warningHeader } from "./health.ts";
import { ARRIVAL_MILLISECONDS, STRANGERS_ARRIVAL_MILLISECONDS } from "./limits.ts";
import type { FindForeignCaller } from "./local-caller.ts";
import { announcedBytes, hasBody, mayBeLarge, readBody } from "./read-body.ts";
import { HangUp, Refusal } from "./refusal.ts";
import { type RefusalLog, reasonOf } from "./refusal-log.ts";
import type { RoutedOperation } from "./routes.ts";
import { writeAnswer } from "./write-answer.ts";

export interface CallSetting {
  readonly timeoutMilliseconds: number;
  readonly maxCalls: number;
  readonly findForeign: FindForeignCaller;
  readonly budget: BodyBudget;
  readonly calls: Calls;
  readonly rates: CallerRates;
  /** A fault of the port itself that does not keep it from answering; null if there is none. */
  readonly warning: () => string | null;
  readonly system: Host;
  readonly log: Log;
  readonly refusals: RefusalLog;
}

export interface Arrival extends RoutedOperation {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly incoming: Incoming;
  readonly setting: CallSetting;
  /** The user of a valid token, once it is known. */
  user: string | null;
  /** The request of an administrative operation, while it is carried out. */
  audited: AnyRequest | null;
}

/** Two tokens of RFC 9110 with a slash between them, and perhaps parameters. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Never rejects. */
export async function answerCall(arrival: Arrival): Promise<void> {
  const { mount, endpoint, request, response, incoming, setting } = arrival;
  const dialect = dialectOf(mount.api);
  try {
    const foreign = setting.findForeign(request.headers.host, request.headers.origin);
    if (foreign !== null) throw new Refusal(dialect.foreign(foreign, incoming.traceId));
    const contentType = incoming.header("content-type");
    if (contentType !== undefined && incoming.method !== "HEAD" && !MEDIA_TYPE.test(contentType))
      throw new Refusal(dialect.unreadable(415, "its content type is malformed", incoming.traceId));
    const body = hasBody(request) ? await receiveBody(arrival, await findSender(arrival)) : "";
    refuseOverload(arrival);
    await setting.calls.run((end) => answerInTime(arrival, body, end));
  } catch (error) {
    if (response.headersSent)
      setting.log.debug({ operation: endpoint.id, error }, "call failed after its answer was sent");
    else writeError(arrival, error);
  }
}

function refuseOverload({ mount, endpoint, incoming, setting }: Arrival): void {
  if (setting.calls.count >= setting.maxCalls && !isHealthCall(endpoint))
    throw new Refusal(dialectOf(mount.api).overloaded(incoming.traceId));
}

type Sender = "known" | "stranger" | "sender of a small body";

/**
 * The token of a large body's sender is checked before the body is read: without a valid one no caller can fill the memory.
 * It is checked again behind the body, because rights may change meanwhile.
 */
async function findSender(arrival: Arrival): Promise<Sender> {
  const { mount, endpoint, request, incoming, setting } = arrival;
  if (!mayBeLarge(request)) return "sender of a small body";
  refuseOverload(arrival);
  const { authenticate, isKnown = (identity) => identity !== null, admitBody } = mount.rules;
  let sender: Sender = "stranger";
  await setting.calls.run(async () => {
    const identity = await authenticate(endpoint, incoming);
    admitBody?.(endpoint, identity, announcedBytes(request));
    if (isKnown(identity)) sender = "known";
  });
  return sender;
}

/** Bodies are read within the API's limit, and large ones within the budget of the port. */
async function receiveBody(arrival: Arrival, sender: Sender): Promise<string> {
  const { mount, request, response, incoming, setting } = arrival;
  const { maxBodyBytes: maxBytes } = mount.api;
  const { timers } = setting.system;
  // A small body counts as well if it comes in very many pieces.
  const memory = setting.budget.open(sender === "known" ? null : callerAddressOf(request.socket));
  response.once("close", memory.release);
  const milliseconds = sender === "stranger" ? STRANGERS_ARRIVAL_MILLISECONDS : ARRIVAL_MILLISECONDS;
  const body = await readBody(request, { maxBytes, memory, milliseconds, timers });
  if (typeof body === "string") return body;
  const { traceId } = incoming;
  const dialect = dialectOf(mount.api);
  switch (body.fault) {
    case "too large":
      throw new Refusal(dialect.tooLarge(traceId, maxBytes));
    case "no room":
      throw new Refusal(dialect.overloaded(traceId));
    case "too slow":
      throw new Refusal(dialect.unreadable(408, "its body took too long to arrive", traceId));
    case "not UTF-8":
      throw new Refusal(dialect.unreadable(400, "its body is not UTF-8", traceId));
  }
}

async function answerInTime(arrival: Arrival, body: string, end: CallEnd): Promise<void> {
  const { mount, response, incoming, setting } = arrival;
  const { method, url } = incoming;
  const late = setting.system.timers.set(() => {
    end.abort();
    const rejection = dialectOf(mount.api).tooSlow(method, url, incoming.traceId);
    logRefusal(arrival, rejection.status, () => `no answer within ${setting.timeoutMilliseconds} ms`);
    writeAnswer(response, rejection, { incoming, mount, isRefused: true });
  }, setting.timeoutMilliseconds);
  response.on("close", () => end.abort());
  try {
    await (mount.callsNobody === true
      ? run(arrival, body, end)
      : runInTrace(incoming, () => run(arrival, body, end)));
  } finally {
    setting.system.timers.clear(late);
  }
}

async function run(arrival: Arrival, body: string, end: CallEnd): Promise<void> {
  const { mount, endpoint, incoming, setting } = arrival;
  const { api, rules } = mount;
  const dialect = dialectOf(api);
  const raw = readRaw(arrival, body);
  const accept = incoming.header("accept");
  if (dialect.checksAccept && !isAccepted(accept, endpoint)) {
    const reason = `nothing that is answered here is ${accept}`;
    throw new Refusal(dialect.unreadable(406, reason, incoming.traceId));
  }
  const params = dialect.params(endpoint, raw);
  const earlyQuery = dialect.queryBeforeToken ? dialect.query(endpoint, raw) : undefined;
  // An await takes a turn even for a value that is there: lookups of scan do without.
  const waiting = mount.before?.(incoming);
  if (waiting instanceof Promise) await waiting;
  const shown = rules.authenticate(endpoint, incoming);
  const identity = shown instanceof Promise ? await shown : shown;
  arrival.user = rules.userOf(identity);
  if (!isHealthCall(endpoint)) countUser(arrival.user, mount, incoming, setting.rates);
  rules.admitBody?.(endpoint, identity, body.length);
  const request: AnyRequest = {
    id: endpoint.id,
    auth: endpoint.auth,
    params,
    query: earlyQuery ?? dialect.query(endpoint, raw),
    body: dialect.body(endpoint, raw),
  };
  const allowed = rules.authorize(endpoint, request, identity, incoming);
  const caller = allowed instanceof Promise ? await allowed : allowed;
  beginAudit(arrival, request);
  const answer = mount.handle(endpoint, request, new AuthorizedCall(caller, incoming, end));
  // An answer that is there is written in the same turn: scan's record time, a header, must not move on in between.
  writeSuccess(arrival, answer instanceof Promise ? await answer : answer);
  endAudit(arrival, "done");
}

/** A call as its handler sees it. Its trace and its signal are made when they are first asked for. */
class AuthorizedCall implements Call<unknown> {
  readonly caller: unknown;
  readonly method: string;
  readonly url: string;
  readonly header: Incoming["header"];
  readonly #incoming: Incoming;
  readonly #end: CallEnd;

  constructor(caller: unknown, incoming: Incoming, end: CallEnd) {
    this.caller = caller;
    this.method = incoming.method;
    this.url = incoming.url;
    this.header = incoming.header;
    this.#incoming = incoming;
    this.#end = end;
  }

  get traceId(): string {
    return this.#incoming.traceId;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }
}

function readRaw({ params, request }: Arrival, body: string): RawRequest {
  const { url = "", headers } = request;
  const mark = url.indexOf("?");
  const search = mark < 0 ? "" : url.slice(mark + 1);
  return { params, search, contentType: headers["content-type"], body };
}

const JSON_TYPE = { "content-type": "application/json" };
const TEXT_TYPE = { "content-type": "text/plain; charset=UTF-8" };

function writeSuccess(
  { mount, endpoint, response, incoming, setting }: Arrival,
  given: Answer<Endpoint>,
): void {
  const { success, successStatus = 200 } = endpoint;
  const { answer, status, headers } =
    given instanceof Reply ? given : { answer: given, status: successStatus, headers: {} };
  const warning = warningHeader(endpoint, setting.warning());
  const write = (body: string, type: { readonly "content-type"?: string }) =>
    writeAnswer(
      response,
      { status, headers: { ...headers, ...type, ...warning }, body },
      { incoming, mount },
    );
  if (answer instanceof RawJson) write(answer.text, JSON_TYPE);
  else if (success.kind === "json") write(JSON.stringify(answer), JSON_TYPE);
  else if (success.kind === "text") write(String(answer), TEXT_TYPE);
  else write("", {});
}

function writeError(arrival: Arrival, error: unknown): void {
  const { request, response, incoming, mount, endpoint } = arrival;
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

function logRefusal(
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

function defect(arrival: Arrival, error: unknown): Rejection {
  const { incoming, setting } = arrival;
  const operation = { ...arrival, log: setting.log };
  const answer = answerDefect(error, incoming, operation, "an operation failed unexpectedly");
  return { ...answer, headers: { ...answer.headers, "x-correlation-id": incoming.traceId } };
}
