import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Rejection } from "@callsign/api";
import type { Incoming } from "./call.ts";
import { chooseEncoding, compress, isLong } from "./compression.ts";
import { corsHeaders } from "./cors.ts";
import type { MountedApi } from "./mount-api.ts";
import { formatLines } from "./raw-answer.ts";

interface AnsweredCall {
  /** Null if the answer names no trace. */
  readonly incoming: Pick<Incoming, "trace"> | null;
  readonly mount?: MountedApi;
  /** True if the answer names the trace also to a caller who did not. */
  readonly isRefused?: boolean;
}

/** Its headers are those of its own. */
interface Content extends Pick<Rejection, "status" | "headers"> {
  readonly body: string | Buffer;
}

export type Headers = Record<string, string | number>;

/**
 * Writes an answer of an API, for pages of any origin, with the headers that the API adds to all of its answers. The
 * first answer to a request counts; a later one is dropped.
 */
export function writeAnswer(response: ServerResponse, answer: Content, call: AnsweredCall): void {
  send(response, {
    status: answer.status,
    headers: headersOf(response.req.headers, answer, call),
    body: answer.body,
  });
}

/**
 * The same for a success: a caller that names its tag is not sent it again, and a long one is compressed for a caller that
 * takes it. The headers are those of the moment of the call, also where the body is compressed first.
 */
export function writeContent(
  response: ServerResponse,
  answer: Content,
  call: AnsweredCall,
): void | Promise<void> {
  const { status, body } = answer;
  const { method, headers: asked } = response.req;
  const headers = headersOf(asked, answer, call);
  const bytes = Buffer.byteLength(body);
  const mayBeCompressed = isLong(bytes);
  if (mayBeCompressed) addVary(headers, "accept-encoding");
  const { etag } = headers;
  if (etag !== undefined && isRead(method) && isKnown(asked["if-none-match"], etag))
    return void sendUnchanged(response, headers);
  const encoding = mayBeCompressed ? chooseEncoding(asked["accept-encoding"]?.toString()) : null;
  const compressed = encoding === null ? null : compress(body, bytes, encoding);
  if (encoding === null || compressed === null) return void send(response, { status, headers, body });
  headers["content-encoding"] = encoding;
  // The tag belongs to other bytes of the same content: RFC 9110 calls such a tag weak.
  if (etag !== undefined) headers["etag"] = `W/${etag}`;
  return compressed.then((packed) => send(response, { status, headers, body: packed }));
}

/** The lines of the headers of an answer that is sent as it is, to a caller that names no tag. */
export function linesAsSent(asked: IncomingHttpHeaders, answer: Content, call: AnsweredCall): string {
  const bytes = Buffer.byteLength(answer.body);
  const isVaried = answer.status < 300 && isLong(bytes);
  const isPlain = !isVaried && asked.origin === undefined && call.incoming === null;
  const ofAll = isPlain ? (call.mount?.headers?.() ?? {}) : null;
  // Most answers have only these headers, and lines take less time than an object. No name but `vary` may be in both.
  if (ofAll !== null && ofAll["vary"] === undefined)
    return `${formatLines(ofAll)}${formatLines(answer.headers)}content-length: ${bytes}\r\n`;
  const headers = headersOf(asked, answer, call);
  if (isVaried) addVary(headers, "accept-encoding");
  headers["content-length"] = bytes;
  return formatLines(headers);
}

function headersOf(
  { origin, traceparent }: IncomingHttpHeaders,
  { headers: own }: Content,
  { incoming, mount, isRefused = false }: AnsweredCall,
): Headers {
  const trace = incoming !== null && (isRefused || traceparent !== undefined) ? incoming.trace : null;
  const ofAll = mount?.headers?.();
  // Most answers have these headers alone, and objects that are made at once take the least time.
  if (origin === undefined && trace === null && ofAll?.["vary"] === undefined) return { ...ofAll, ...own };
  const headers: Headers = { ...(origin === undefined ? {} : corsHeaders(origin)), ...ofAll };
  if (trace !== null) headers["traceparent"] = trace.traceparent;
  const { vary } = headers;
  Object.assign(headers, own);
  if (vary !== undefined && own["vary"] !== undefined) headers["vary"] = joinNames(vary, own["vary"]);
  return headers;
}

/** Each name once. */
function joinNames(one: string | number, other: string | number): string {
  return [...new Set(`${one}, ${other}`.split(", "))].join(", ");
}

function addVary(headers: Headers, name: string): void {
  headers["vary"] = headers["vary"] === undefined ? name : `${headers["vary"]}, ${name}`;
}

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Buffer;
}

function send(response: ServerResponse, { status, headers, body }: Sent): void {
  if (response.headersSent) return;
  headers["content-length"] = Buffer.byteLength(body);
  response.writeHead(status, headers).end(body);
}

function sendUnchanged(response: ServerResponse, headers: Headers): void {
  if (response.headersSent) return;
  delete headers["content-type"];
  response.writeHead(304, headers).end();
}

function isRead(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}

/** True if the caller names the tag, weak or not, or any at all. */
function isKnown(asked: string | undefined, tag: string | number): boolean {
  if (asked === undefined) return false;
  return asked.trim() === "*" || asked.split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
}
