/**
 * Requests in their plainest form, read from the bytes of a connection: a GET of a path, HTTP/1.1, one `Host`, no body, and
 * headers of ASCII that change neither the answer nor the connection. Null stands for everything else: a request that has not
 * arrived whole, that is malformed, or that only `node:http` knows how to read.
 */
import type { IncomingHttpHeaders } from "node:http";
import { MAX_PLAIN_HEAD_LENGTH } from "./limits.ts";

export interface PlainHead {
  readonly target: string;
  /** Their names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The place of the first character behind the request. */
  readonly end: number;
}

const START = "GET /";
const METHOD_LENGTH = "GET ".length;
const VERSION = " HTTP/1.1\r\n";
const END = "\r\n\r\n";
/** Characters of RFC 3986 without `#`, which no request has. */
const TARGET = /^[\w.~!$&'()*+,;=:@%/?-]+$/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]+$/;

/** Headers that change the answer, the connection, or the way to read the request. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  ...["origin", "content-type", "if-none-match", "content-length", "transfer-encoding"],
  ...["expect", "upgrade", "http2-settings", "te", "trailer", "proxy-connection", "keep-alive"],
  // No object of `node:http` has it.
  "__proto__",
]);

/** Reads the requests of one connection, most of which have the same headers as the one before. */
export class PlainHeadReader {
  /** The header lines of the request before, with the empty line behind them. */
  #lines = "";
  #headers: IncomingHttpHeaders | null = null;

  /** The request that begins there. A character stands for a byte. */
  read(text: string, from: number): PlainHead | null {
    if (!text.startsWith(START, from)) return null;
    const targetEnd = text.indexOf(VERSION, from);
    const end = targetEnd < 0 ? -1 : this.#readHeaders(text, targetEnd + VERSION.length);
    if (end < 0 || end - from > MAX_PLAIN_HEAD_LENGTH) return null;
    const target = text.slice(from + METHOD_LENGTH, targetEnd);
    return this.#headers === null || !TARGET.test(target) ? null : { target, headers: this.#headers, end };
  }

  /** Reads the headers that begin there. Returns the place behind them; -1 if they have not arrived whole. */
  #readHeaders(text: string, from: number): number {
    if (this.#headers !== null && text.startsWith(this.#lines, from)) return from + this.#lines.length;
    const end = text.indexOf(END, from);
    if (end < 0) return -1;
    this.#headers = parseHeaders(text.slice(from, end));
    this.#lines = text.slice(from, end + END.length);
    return end + END.length;
  }
}

function parseHeaders(lines: string): IncomingHttpHeaders | null {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1);
    if (!NAME.test(name) || !VALUE.test(value) || NOT_PLAIN.has(name) || name in headers) return null;
    headers[name] = value.trim();
  }
  const { host = "", connection = "keep-alive" } = headers;
  return host === "" || connection.toLowerCase() !== "keep-alive" ? null : headers;
}
