/** One call from its arrival to its answer, in the order that its API has: path, token, query, body, rule, handler. */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type AnyRequest, type Endpoint, matchPath, type RawRequest, type Rejection } from "@callsign/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../observability/log.ts";
import { isAccepted } from "./accept.ts";
import { type Answer, RawJson, Reply } from "./answer.ts";
import type { Incoming } from "./call.ts";
import { corsHeaders } from "./cors.ts";
import { type Dialect, dialectOf, rejectionOf } from "./dialect.ts";
import { isHealthCall } from "./health.ts";
import { findForeignCaller } from "./local-caller.ts";
import type { MountedApi } from "./mount-api.ts";
import { HangUp, Refusal } from "./refusal.ts";

export interface CallSetting {
  readonly prefix: string;
  readonly timeoutMilliseconds: number;
  readonly maxCalls: number;
  readonly localCallersOnly: boolean;
  readonly log: Log;
  readonly calls: Calls;
}

/** The calls that wait for their answer. */
export class Calls {
  readonly #waiting = new Map<Promise<unknown>, AbortController>();

  get count(): number {
    return this.#waiting.size;
  }

  add<T>(answer: Promise<T>, abort: AbortController): Promise<T> {
    const done = answer.finally(() => this.#waiting.delete(done));
    this.#waiting.set(done, abort);
    return done;
  }

  /** Tells them that nobody waits any more, and waits until they have ended. */
  async end(): Promise<void> {
    for (const abort of this.#waiting.values()) abort.abort();
    await Promise.allSettled(this.#waiting.keys());
  }
}

interface Arrival {
  readonly mount: MountedApi;
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly setting: CallSetting;
}

/** What can be answered at once is, without a promise in between: lookups are most of all calls. */
export function answerCall(arrival: Arrival): FastifyReply | Promise<FastifyReply> {
  const { mount, request, setting } = arrival;
  const incoming = readIncoming(request);
  const dialect = dialectOf(mount.api);
  const { calls, maxCalls } = setting;
  const foreign = setting.localCallersOnly
    ? findForeignCaller(request.headers.host, request.headers.origin)
    : null;
  if (foreign !== null) return sendRejection(arrival, dialect.foreign(foreign, incoming.traceId));
  if (calls.count >= maxCalls && !isHealthCall(arrival.endpoint))
    return sendRejection(arrival, dialect.overloaded(incoming.traceId));
  const abort = new AbortController();
  try {
    const answer = run(arrival, { dialect, incoming, signal: abort.signal });
    if (!(answer instanceof Promise)) return sendAnswer(arrival, answer);
    return calls.add(waitFor(arrival, answer, { incoming, dialect, abort }), abort);
  } catch (error) {
    return sendError(arrival, error, incoming.traceId);
  }
}

/** The caller's trace id by W3C's rules, where zeros alone are none, or a new one. */
export function traceIdOf(traceparent: unknown): string {
  const match = /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent ?? ""));
  return match?.[1] ?? randomBytes(16).toString("hex");
}

interface Run {
  readonly dialect: Dialect;
  readonly incoming: Incoming;
  readonly signal: AbortSignal;
}

function run(
  arrival: Arrival,
  { dialect, incoming, signal }: Run,
): Answer<Endpoint> | Promise<Answer<Endpoint>> {
  const { mount, endpoint, request, setting } = arrival;
  const { rules } = mount;
  const { traceId, method, url, header } = incoming;
  const raw = readRaw(endpoint, request, setting.prefix);
  // To the router a segment may be empty; to the table it is none.
  if (raw === null) throw new Refusal(dialect.unknownPath(method, absoluteUrl(request)));
  const accept = header("accept");
  if (dialect.checksAccept && !isAccepted(accept, endpoint)) {
    throw new Refusal(dialect.unreadable(406, `nothing that is answered here is ${accept}`, traceId));
  }
  const params = dialect.params(endpoint, raw, traceId);
  const earlyQuery = dialect.queryBeforeToken ? dialect.query(endpoint, raw, traceId) : undefined;
  const decode = (): AnyRequest => ({
    id: endpoint.id,
    auth: endpoint.auth,
    params,
    query: earlyQuery ?? dialect.query(endpoint, raw, traceId),
    body: dialect.body(endpoint, raw, traceId),
  });
  return then(mount.before?.(incoming), () =>
    then(rules.authenticate(endpoint, incoming), (identity) => {
      rules.admitBody?.(endpoint, identity, raw.body.length);
      const decoded = decode();
      return then(rules.authorize(endpoint, decoded, identity, incoming), (caller) =>
        mount.handle(endpoint, decoded, { caller, traceId, signal, method, url, header }),
      );
    }),
  );
}

/** Goes on at once where nothing has to be waited for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

interface Waiting {
  readonly incoming: Incoming;
  readonly dialect: Dialect;
  readonly abort: AbortController;
}

async function waitFor(
  arrival: Arrival,
  answer: Promise<Answer<Endpoint>>,
  { incoming, dialect, abort }: Waiting,
): Promise<FastifyReply> {
  const { request, setting } = arrival;
  const { traceId, method, url } = incoming;
  const gone = () => abort.abort();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, setting.timeoutMilliseconds, "late");
  });
  request.raw.socket.once("close", gone);
  try {
    const settled = await Promise.race([answer.then((value) => ({ value })), late]);
    if (settled !== "late") return sendAnswer(arrival, settled.value);
    abort.abort();
    answer.catch((error: unknown) => setting.log.debug({ traceId, error }, "a call failed after its time"));
    return sendRejection(arrival, dialect.tooSlow(method, url, traceId));
  } catch (error) {
    return sendError(arrival, error, traceId);
  } finally {
    clearTimeout(timer);
    request.raw.socket.removeListener("close", gone);
  }
}

interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
}

/** `authorization`: in place of the header of that name, where there is none. */
export function readIncoming({ headers, method, url }: RequestHead, authorization?: string): Incoming {
  return {
    authorization: headers.authorization ?? authorization,
    // A link may read, but not change anything.
    get accessToken() {
      if (method !== "GET" && method !== "HEAD") return undefined;
      return new URLSearchParams(url.split("?")[1] ?? "").get("access_token") ?? undefined;
    },
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    traceId: traceIdOf(headers["traceparent"]),
    method,
    url,
  };
}

/** What the caller has asked for, as far as it can be known. */
export function absoluteUrl({ protocol, headers, url }: FastifyRequest): string {
  return `${protocol}://${headers.host ?? ""}${url}`;
}

function readRaw(endpoint: Endpoint, request: FastifyRequest, prefix: string): RawRequest | null {
  const { url, headers, body } = request;
  const mark = url.indexOf("?");
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(prefix.length);
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const params = matchPath(endpoint.path, trimmed);
  if (params === undefined) return null;
  return {
    params,
    search: mark < 0 ? "" : url.slice(mark + 1),
    contentType: headers["content-type"],
    body: typeof body === "string" ? body : "",
  };
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=UTF-8";

function sendAnswer(arrival: Arrival, given: Answer<Endpoint>): FastifyReply {
  const { success, successStatus = 200 } = arrival.endpoint;
  const { answer, status, headers } =
    given instanceof Reply ? given : { answer: given, status: successStatus, headers: undefined };
  if (answer instanceof RawJson)
    return send(arrival, status, answer.text, { ...headers, "content-type": JSON_TYPE });
  switch (success.kind) {
    case "json":
      return send(arrival, status, JSON.stringify(answer), { ...headers, "content-type": JSON_TYPE });
    case "text":
      return send(arrival, status, String(answer), { ...headers, "content-type": TEXT_TYPE });
    case "empty":
      return send(arrival, status, "", headers ?? {});
  }
}

function sendError(arrival: Arrival, error: unknown, traceId: string): FastifyReply {
  if (error instanceof HangUp) return hangUp(arrival);
  const refused = rejectionOf(error, traceId, arrival);
  if (refused !== null) return sendRejection(arrival, refused);
  const { mount, endpoint, setting } = arrival;
  setting.log.error(
    { correlationId: traceId, operation: endpoint.id, error: error instanceof Error ? error.stack : error },
    "an operation failed unexpectedly",
  );
  const { status, headers, body } = dialectOf(mount.api).defect(traceId);
  return sendRejection(arrival, { status, headers: { ...headers, "x-correlation-id": traceId }, body });
}

function hangUp({ request, reply }: Arrival): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

function sendRejection(arrival: Arrival, { status, headers, body }: Rejection): FastifyReply {
  return send(arrival, status, body, headers);
}

function send(
  { mount, request, reply }: Arrival,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const cors = corsHeaders(request.headers.origin);
  return writeAnswer(reply, { status, headers: { ...cors, ...mount.headers?.(), ...headers }, body });
}

/** Writes the answer as it is: the framework would add to its type, and take longer. */
export function writeAnswer(reply: FastifyReply, { status, headers, body }: Rejection): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  return reply;
}
