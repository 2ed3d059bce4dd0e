/** A small application as a build leaves it, and requests that are sent exactly as they are given. */
import { mkdirSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync } from "node:zlib";

export const INDEX = '<!doctype html><script type="module" src="/assets/main-0a1b.js"></script>';
export const SCRIPT = `export const text = "${"callsign ".repeat(50)}";`;

/** Writes the files into the folder. */
export function writeApplication(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), INDEX);
  writeFileSync(join(folder, "assets/main-0a1b.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-0a1b.js.br"), brotliCompressSync(SCRIPT));
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface PageRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The authority of an https server's certificate. */
  readonly ca?: string;
}

/** The path goes out as it stands: `fetch` would mend it. */
export function askPage(
  url: string,
  { path, method = "GET", headers = {}, body, ca }: PageRequest,
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, protocol } = new URL(url);
    const send = protocol === "https:" ? requestSecurely : request;
    const outgoing = send({ hostname, port, path, method, headers, ca }, (answer) => {
      buffer(answer).then(
        (bytes) =>
          resolve({
            ...{ status: answer.statusCode ?? 0, headers: answer.headers },
            ...{ bytes, text: bytes.toString() },
          }),
        reject,
      );
    });
    outgoing.on("error", reject).end(body);
  });
}
