/**
 * A typed client, made from a table: one method an operation, named by its id. It sends what the types say, reads
 * at most so many bytes for at most so long, and hands back only what fits the schema. Fields that the schema does
 * not know are dropped, so that servers may know more than we do.
 */
import { type CallSite, HttpError, SchemaViolation, TransportError } from "./client-errors.ts";
import type { Api, Endpoint, EndpointTable } from "./endpoint.ts";
import { type CallTimers, exchange, type Fetch, type HttpAnswer, platformTimers } from "./exchange.ts";
import type { ClientRequest, ResponseOf } from "./messages.ts";
import { parseJsonText } from "./parse-json-text.ts";
import { formatPath } from "./path-template.ts";
import { formatQueryString } from "./query-string.ts";
import { check, formatProblem } from "./wire/check.ts";

export interface ClientOptions {
  readonly fetch: Fetch;
  /** With the API's prefix, such as `http://localhost:5012/api/scan`. */
  readonly baseUrl: string;
  /** The token of the next call; undefined sends none. */
  readonly token?: () => string | undefined | Promise<string | undefined>;
  /** Is called with a token that was refused with 401. If `token` then gives another, the call is sent once more. */
  readonly onRejected?: (token: string) => void;
  /** The host's timers; the platform's own if omitted. */
  readonly timers?: CallTimers;
  readonly timeoutMilliseconds?: number;
  readonly maxResponseBytes?: number;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 40_000;
const DEFAULT_MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMilliseconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation that needs nothing can be called with nothing. */
type Arguments<E extends Endpoint> =
  Record<never, never> extends ClientRequest<E>
    ? [request?: ClientRequest<E>, options?: CallOptions]
    : [request: ClientRequest<E>, options?: CallOptions];

export type Client<T extends EndpointTable> = {
  readonly [Id in keyof T]: (...given: Arguments<T[Id]>) => Promise<ResponseOf<T[Id]>>;
};

/** Calls throw a `TransportError`, an `HttpError` or a `SchemaViolation`. */
export function createClient<T extends EndpointTable>(api: Api<T>, options: ClientOptions): Client<T> {
  const calls = Object.values<Endpoint>(api.endpoints).map((endpoint) => [
    endpoint.id,
    (request: UntypedRequest = {}, call: CallOptions = {}) => callEndpoint(endpoint, request, options, call),
  ]);
  return Object.fromEntries(calls) as Client<T>;
}

export interface UntypedRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An answer as it came: its text has not been read yet. */
export interface UnreadAnswer extends HttpAnswer {
  readonly site: CallSite;
}

async function callEndpoint(
  endpoint: Endpoint,
  request: UntypedRequest,
  options: ClientOptions,
  call: CallOptions,
): Promise<unknown> {
  return readAnswer(endpoint, await sendRequest(endpoint, request, options, call));
}

/** Any answer will do. Throws a `TransportError` if none came. */
export async function sendRequest(
  endpoint: Endpoint,
  request: UntypedRequest,
  options: ClientOptions,
  call: CallOptions = {},
): Promise<UnreadAnswer> {
  const site = { operation: endpoint.id, url: formatUrl(endpoint, request, options.baseUrl) };
  const limits = {
    timers: options.timers ?? platformTimers,
    timeoutMilliseconds:
      call.timeoutMilliseconds ?? options.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS,
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    signal: call.signal,
  };
  const send = (token: string | undefined) =>
    exchange(options.fetch, site, makeRequest(endpoint, request.body, token, call.headers), limits);
  const { status, text, header } = await (options.token === undefined
    ? send(undefined)
    : sendWithToken(send, options));
  return { status, text, header, site };
}

/** The answer's value by its schema. Throws an `HttpError` or a `SchemaViolation`. */
export function readAnswer(endpoint: Endpoint, { status, text, site }: UnreadAnswer): unknown {
  if (status < 200 || status > 299) throw new HttpError(site, status, parseJsonText(text) ?? text);
  const { success } = endpoint;
  if (success.kind !== "json") return success.kind === "text" ? text : undefined;
  const given = parseJsonText(text);
  if (given === undefined) throw new SchemaViolation(site, "the answer is not JSON");
  const body = check(success.schema, given);
  if (body.ok) return body.value;
  throw new SchemaViolation(site, `the answer is not valid: ${formatProblem(body.problem)}`);
}

async function sendWithToken(
  send: (token: string | undefined) => Promise<HttpAnswer>,
  { token, onRejected }: ClientOptions,
): Promise<HttpAnswer> {
  const first = await token?.();
  const answer = await send(first);
  if (answer.status !== 401 || first === undefined || onRejected === undefined) return answer;
  onRejected(first);
  const second = await token?.();
  return second === undefined || second === first ? answer : send(second);
}

function formatUrl(endpoint: Endpoint, request: UntypedRequest, baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  const target = formatTarget(endpoint, request);
  if (target !== null) return base + target;
  const site = { operation: endpoint.id, url: base + endpoint.path };
  throw new TransportError({ site, failure: "unsendable", problem: "no URL can carry that parameter" });
}

/**
 * Path and query; null for a parameter that no URL can carry: a segment that is empty, `.` or `..` is another path, however
 * it is encoded, and half a character is none.
 */
export function formatTarget(endpoint: Endpoint, { params = {}, query = {} }: UntypedRequest): string | null {
  if (Object.values(params).some((value) => /^\.{0,2}$/.test(String(value)))) return null;
  try {
    return formatPath(endpoint.path, params) + formatQueryString(query);
  } catch {
    // encodeURIComponent throws for half a character.
    return null;
  }
}

function makeRequest(
  endpoint: Endpoint,
  body: unknown,
  token: string | undefined,
  more: CallOptions["headers"],
): RequestInit {
  const headers: Record<string, string> = { accept: "application/json, text/plain;q=0.9" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  return {
    method: endpoint.method,
    headers: Object.assign(headers, more),
    body: body === undefined ? null : JSON.stringify(body),
  };
}
