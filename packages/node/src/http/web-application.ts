/**
 * The web application on a port: its files, `/config.json`, and its first page under every other path that is no API's.
 * A page may load scripts, styles and images from its own origin alone, and talk to that origin and the login authority.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { percentDecode, type WebConfig } from "@callsign/api";
import type { Host } from "../host/host.ts";
import { chooseEncoding } from "./compression.ts";
import {
  ASSETS_PATH,
  findWebFolder,
  INDEX_PATH,
  readWebFiles,
  type WebFile,
  type WebFiles,
} from "./web-files.ts";

const CONFIG_PATH = "/config.json";
const YEAR_SECONDS = 31_536_000;

/** First segments of paths that APIs have, under their prefixes and without: pages never stand in their way. */
const API_SEGMENTS: ReadonlySet<string> = new Set([
  ...["api", "v0", "v1", "v2", "ext", "registry", "docs", "metrics"],
  ...["readyz", "livez", "status", "version", ".well-known"],
]);

const NOT_BUILT =
  "The web application is not built. In a clone of the repository run: npm run web. Then load this page again.\n";

type Headers = Readonly<Record<string, string>>;

export interface WebApplicationOptions {
  readonly files: Host["files"];
  /** The folder of the built files; that of the package `@callsign/web` if omitted. */
  readonly folder?: string | undefined;
}

export class WebApplication {
  readonly #options: WebApplicationOptions;
  /** Read with the first request: many processes are never asked for a page. */
  #files: Promise<WebFiles | null> | undefined;

  constructor(options: WebApplicationOptions) {
    this.#options = options;
  }

  /** True for a request that no API of the port can be meant by. */
  serves({ method, url = "/" }: IncomingMessage): boolean {
    return (method === "GET" || method === "HEAD") && !API_SEGMENTS.has(firstSegmentOf(url));
  }

  /** Answers a request that it serves, to a page that is told this configuration. */
  answer(request: IncomingMessage, response: ServerResponse, config: WebConfig): void {
    this.#answer(request, response, config).catch(() => response.destroy());
  }

  async #answer(request: IncomingMessage, response: ServerResponse, config: WebConfig): Promise<void> {
    const headers = securityHeaders(config);
    const path = percentDecode(pathOf(request.url ?? "/"));
    if (path === CONFIG_PATH) {
      const body = Buffer.from(JSON.stringify(config));
      const type = "application/json; charset=utf-8";
      return void write(
        request,
        response,
        200,
        { ...headers, "content-type": type, "cache-control": "no-store" },
        body,
      );
    }
    const files = await this.#read();
    if (files === null) return void writeText(request, response, 503, headers, NOT_BUILT);
    const file = path === undefined ? undefined : findFile(files, path);
    if (file === undefined)
      return void writeText(request, response, 404, headers, "The web application has no such file.\n");
    writeFile(request, response, file, headers);
  }

  /** A missing build is looked for again with the next request. */
  async #read(): Promise<WebFiles | null> {
    const { folder = findWebFolder(), files } = this.#options;
    this.#files ??= readWebFiles(folder, files);
    const read = await this.#files.catch(() => null);
    if (read === null) this.#files = undefined;
    return read;
  }
}

/** Names of the network have dots: only files of the build's own folder can be missing. */
function findFile(files: WebFiles, path: string): WebFile | undefined {
  const isPage = !path.startsWith(ASSETS_PATH) && !/[\\\0]|(^|\/)\.\.?(\/|$)/.test(path);
  return files.get(path) ?? (isPage ? files.get(INDEX_PATH) : undefined);
}

function writeFile(
  request: IncomingMessage,
  response: ServerResponse,
  { type, etag, plain, brotli, isImmutable }: WebFile,
  security: Headers,
): void {
  const caching = isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache";
  const headers = { ...security, etag, "cache-control": caching, vary: "accept-encoding" };
  if (request.headers["if-none-match"] === etag) return void response.writeHead(304, headers).end();
  const useBrotli = brotli !== null && chooseEncoding(request.headers["accept-encoding"], ["br"]) !== null;
  const coding = useBrotli ? { "content-encoding": "br" } : {};
  write(request, response, 200, { ...headers, "content-type": type, ...coding }, useBrotli ? brotli : plain);
}

function writeText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  security: Headers,
  text: string,
): void {
  const headers = { ...security, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  write(request, response, status, headers, Buffer.from(text));
}

function write(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: Buffer,
): void {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.end(method === "HEAD" ? undefined : body);
}

function securityHeaders({ login }: WebConfig): Headers {
  const authority = login === null ? "" : ` ${new URL(login.authority).origin}`;
  const policy = [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'"],
    `connect-src 'self'${authority}`,
    ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "/";
}

/** Decoded, since `/%61pi` means `/api`; slashes that repeat count once. */
function firstSegmentOf(url: string): string {
  const path = pathOf(url);
  return (percentDecode(path) ?? path).replace(/^\/+/, "").split("/", 1)[0] ?? "";
}
