/** A bare node:http server that reads requests by an API's table, and answers what it is told to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { findEndpoint, methodsOf } from "../src/find-endpoint.ts";
import {
  type Api,
  type Endpoint,
  ledgerRejection,
  parseLedgerRequest,
  parseSpliceRequest,
  type RawRequest,
  type Received,
  type Rejection,
  type ServerRequest,
  unknownLedgerPath,
  unknownPath,
  wrongLedgerMethod,
  wrongMethod,
} from "../src/index.ts";

export interface Arrived {
  readonly id: string;
  readonly request: ServerRequest<Endpoint>;
  readonly headers: IncomingMessage["headers"];
}

export interface TableServer {
  /** With the API's prefix. */
  readonly baseUrl: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** The server's answer to a readable request: any JSON value, text as it is, or nothing. */
export type Answer = (arrived: Arrived) => unknown;

export async function serveTable(api: Api, answer: Answer): Promise<TableServer> {
  const arrived: Arrived[] = [];
  const { url, close } = await listen((incoming, response) => {
    readText(incoming)
      .then((body) => {
        const outcome = readRequest(api, incoming, body);
        if (!outcome.ok) return send(response, outcome.refusal);
        arrived.push(outcome.value);
        return send(response, makeAnswer(answer(outcome.value)));
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  return { baseUrl: url + api.basePath, arrived, close };
}

/** A server on loopback that does as it likes, to see how a client takes it. It can be closed more than once. */
export async function listen(
  handle: (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>,
  wantedPort = 0,
  host = "127.0.0.1",
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(wantedPort, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host}:${port}`, port, close };
}

function readRequest(api: Api, incoming: IncomingMessage, body: string): Received<Arrived, Rejection> {
  const { method = "", url = "", headers } = incoming;
  const [path = "", ...rest] = url.split("?");
  const found = findEndpoint(api, method, path.slice(api.basePath.length));
  const isLedger = api.dialect === "ledger";
  switch (found.kind) {
    case "unknown-path":
      return { ok: false, refusal: isLedger ? unknownLedgerPath(method, url) : unknownPath(url) };
    case "wrong-method":
      return {
        ok: false,
        refusal: (isLedger ? wrongLedgerMethod : wrongMethod)(methodsOf(found.endpoints)),
      };
    case "found": {
      const raw = {
        params: found.params,
        search: rest.join("?"),
        contentType: headers["content-type"],
        body,
      };
      const request = isLedger ? parseAsLedger(found.endpoint, raw) : parseSpliceRequest(found.endpoint, raw);
      if (!request.ok) return request;
      return { ok: true, value: { id: found.endpoint.id, request: request.value, headers } };
    }
  }
}

function parseAsLedger(endpoint: Endpoint, raw: RawRequest): Received<ServerRequest<Endpoint>, Rejection> {
  const request = parseLedgerRequest(endpoint, raw);
  if (request.ok) return request;
  return { ok: false, refusal: ledgerRejection(request.refusal, { traceId: "0".repeat(32) }) };
}

function makeAnswer(value: unknown): Rejection {
  const isText = typeof value === "string" || value === undefined;
  return {
    status: 200,
    headers: { "content-type": isText ? "text/plain" : "application/json" },
    body: isText ? (value ?? "") : JSON.stringify(value),
  };
}

function send(response: ServerResponse, { status, headers, body }: Rejection): void {
  response.writeHead(status, headers).end(body);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
