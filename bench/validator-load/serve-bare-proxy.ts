// The floor of a proxied lookup over HTTP: two bare `node:http` scans with a fixed body of the given length, and a bare proxy
// that asks both through undici, compares the bytes and sends them on, all in one process.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "../../packages/node/src/http-client/dispatchers.ts";
import { answerParent } from "../scan-load/measured-server.ts";

const SCANS = 2;
const body = "x".repeat(Number(process.argv[2]));
const headers = { "content-type": "application/json" };

function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function ask(scan: InstanceType<typeof Pool>, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    scan.dispatch(
      { path, method: "GET" },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(Buffer.concat(chunks)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

const scans: InstanceType<typeof Pool>[] = [];
for (let i = 0; i < SCANS; i++) {
  const port = await listen((_, response) => {
    response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
  });
  scans.push(new Pool(`http://127.0.0.1:${port}`));
}

const proxy = await listen(async ({ url = "" }, response) => {
  const [first = Buffer.alloc(0), ...others] = await Promise.all(scans.map((scan) => ask(scan, url)));
  const isAgreed = others.every((other) => other.equals(first));
  response.writeHead(isAgreed ? 200 : 502, { ...headers, "content-length": first.length }).end(first);
});
answerParent(proxy);
