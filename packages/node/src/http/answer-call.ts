/**
 * One call from its route to its answer, in the order of its API: path, token, query, body, rule, handler. A call pays for
 * no more than it uses. Each step that need not wait is followed by the next in the same turn, and most lookups are
 * answered in the turn in which they arrive. A call that has to wait takes a place among the waiting calls, with a deadline.
 */
import type { AnyRequest, RawRequest } from "@callsign/api";
import { runInTrace } from "../observability/trace-context.ts";
import { isAccepted } from "./accept.ts";
import { Reply } from "./answer.ts";
import type { Arrival } from "./arrival.ts";
import { beginAudit, endAudit } from "./audit-record.ts";
import { AuthorizedCall } from "./authorized-call.ts";
import { callerAddressOf } from "./caller-address.ts";
import { CallEnd } from "./calls.ts";
import { corsHeaders } from "./cors.ts";
import { countUser } from "./count-user.ts";
import { dialectOf } from "./dialect.ts";
import { EventStream, sendEvents } from "./event-stream.ts";
import { isHealthCall } from "./health.ts";
import { hasBody, mayBeLarge } from "./read-body.ts";
import { findSender, receiveBody } from "./receive-body.ts";
import { Refusal } from "./refusal.ts";
import { writeAnswer } from "./write-answer.ts";
import { logRefusal, writeError, writeSuccess } from "./write-result.ts";

/** Nothing for work that is done, or its end. */
type Done = void | Promise<void>;

/** Two tokens of RFC 9110 with a slash between them, and perhaps parameters. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Never throws or rejects. */
export function answerCall(arrival: Arrival): Done {
  try {
    refuseForeign(arrival);
    refuseContentType(arrival);
    if (hasBody(arrival.request)) return answerWithBody(arrival).catch((error) => writeError(arrival, error));
    return answerWith(arrival, "")?.catch((error) => writeError(arrival, error));
  } catch (error) {
    writeError(arrival, error);
  }
}

function refuseForeign({ mount, request, incoming, setting }: Arrival): void {
  const foreign = setting.findForeign(request.headers.host, request.headers.origin);
  if (foreign !== null) throw new Refusal(dialectOf(mount.api).foreign(foreign, incoming.traceId));
}

function refuseContentType({ mount, incoming }: Arrival): void {
  const contentType = incoming.header("content-type");
  if (contentType === undefined || incoming.method === "HEAD" || MEDIA_TYPE.test(contentType)) return;
  const dialect = dialectOf(mount.api);
  throw new Refusal(dialect.unreadable(415, "its content type is malformed", incoming.traceId));
}

function refuseOverload({ mount, endpoint, incoming, setting }: Arrival): void {
  if (setting.calls.count >= setting.maxCalls && !isHealthCall(endpoint))
    throw new Refusal(dialectOf(mount.api).overloaded(incoming.traceId));
}

async function answerWithBody(arrival: Arrival): Promise<void> {
  if (!mayBeLarge(arrival.request))
    return answerWith(arrival, await receiveBody(arrival, "sender of a small body"));
  refuseOverload(arrival);
  const checked = findSender(arrival);
  await arrival.setting.calls.wait(
    new CallEnd(),
    checked.then(() => undefined),
  );
  return answerWith(arrival, await receiveBody(arrival, await checked));
}

/** The body is there. */
function answerWith(arrival: Arrival, body: string): Done {
  refuseOverload(arrival);
  const end = new CallEnd();
  const done =
    arrival.mount.callsNobody === true
      ? checkToken(arrival, body, end)
      : runInTrace(arrival.incoming, () => checkToken(arrival, body, end));
  if (done === undefined) end.finish();
  else return waitInTime(arrival, done, end);
}

async function waitInTime(arrival: Arrival, done: Promise<void>, end: CallEnd): Promise<void> {
  const { mount, response, incoming, setting } = arrival;
  const late = setting.system.timers.set(() => {
    // Events go on after their answer has begun.
    if (response.headersSent) return;
    end.abort();
    const rejection = dialectOf(mount.api).tooSlow(incoming.method, incoming.url, incoming.traceId);
    logRefusal(arrival, rejection.status, () => `no answer within ${setting.timeoutMilliseconds} ms`);
    writeAnswer(response, rejection, { incoming, mount, isRefused: true });
  }, setting.timeoutMilliseconds);
  response.on("close", () => end.abort());
  try {
    await setting.calls.wait(end, done);
  } finally {
    setting.system.timers.clear(late);
  }
}

function checkToken(arrival: Arrival, body: string, end: CallEnd): Done {
  const { mount, endpoint, incoming } = arrival;
  const dialect = dialectOf(mount.api);
  const raw = readRaw(arrival, body);
  const accept = incoming.header("accept");
  if (dialect.checksAccept && !isAccepted(accept, endpoint)) {
    const reason = `nothing that is answered here is ${accept}`;
    throw new Refusal(dialect.unreadable(406, reason, incoming.traceId));
  }
  const params = dialect.params(endpoint, raw);
  const query = dialect.queryBeforeToken ? dialect.query(endpoint, raw) : undefined;
  return next(mount.before?.(incoming), () =>
    next(mount.rules.authenticate(endpoint, incoming), (identity) =>
      checkRule(arrival, { raw, params, query, identity, end }),
    ),
  );
}

interface Authenticated {
  readonly raw: RawRequest;
  readonly params: unknown;
  /** Undefined if it is read behind the token. */
  readonly query: unknown;
  readonly identity: unknown;
  readonly end: CallEnd;
}

function checkRule(arrival: Arrival, { raw, params, query, identity, end }: Authenticated): Done {
  const { mount, endpoint, incoming, setting } = arrival;
  const { api, rules } = mount;
  const dialect = dialectOf(api);
  arrival.user = rules.userOf(identity);
  if (!isHealthCall(endpoint)) countUser(arrival.user, mount, incoming, setting.rates);
  rules.admitBody?.(endpoint, identity, raw.body.length);
  const request: AnyRequest = {
    id: endpoint.id,
    auth: endpoint.auth,
    params,
    query: query ?? dialect.query(endpoint, raw),
    body: dialect.body(endpoint, raw),
  };
  return next(rules.authorize(endpoint, request, identity, incoming), (caller) => {
    beginAudit(arrival, request);
    // An answer that is there is written in the same turn: scan's record time, a header, must not move on in between.
    const call = new AuthorizedCall(caller, incoming, () => callerAddressOf(arrival.request.socket), end);
    return next(mount.handle(endpoint, request, call), (answer) => {
      const stream: unknown = answer instanceof Reply ? answer.answer : answer;
      const written =
        stream instanceof EventStream ? writeEvents(arrival, stream, end) : writeSuccess(arrival, answer);
      return next(written, () => endAudit(arrival, "done"));
    });
  });
}

function writeEvents({ mount, request, response, setting }: Arrival, stream: EventStream, end: CallEnd) {
  const headers = { ...corsHeaders(request.headers.origin), ...mount.headers?.() };
  return sendEvents(stream, { response, headers, signal: end.signal, timers: setting.system.timers });
}

/** Goes on at once with a value that is there: an await would take a turn. */
function next<T>(value: T | Promise<T>, step: (value: T) => Done): Done {
  return value instanceof Promise ? value.then(step) : step(value);
}

function readRaw({ params, request }: Arrival, body: string): RawRequest {
  const { url = "", headers } = request;
  const mark = url.indexOf("?");
  const search = mark < 0 ? "" : url.slice(mark + 1);
  return { params, search, contentType: headers["content-type"], body };
}
