/**
 * What our clients need of `fetch`, straight over `node:http` with connections that stay open. Nodes make many small
 * calls to each other, and the platform's `fetch` costs more than such a call does.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Fetch } from "@callsign/api";

export interface KeepAliveFetch {
  readonly fetch: Fetch;
  /** Ends every call that is under way. */
  readonly close: () => void;
}

/** Connections to one server; one that hangs keeps those that wait for it. */
const MAX_SOCKETS = 64;
const IDLE_MILLISECONDS = 30_000;

export function openKeepAliveFetch(): KeepAliveFetch {
  const options = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    timeout: IDLE_MILLISECONDS,
    scheduling: "lifo",
  } as const;
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    fetch: (url, init) => send(url, init, agents),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

function send(
  url: string,
  { method, headers, body, signal }: RequestInit,
  agents: Agents,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = {
      method: method ?? "GET",
      headers: headers as Record<string, string>,
      ...(signal == null ? {} : { signal }),
    };
    const answered = (incoming: IncomingMessage) => resolve(responseOf(incoming));
    const outgoing: ClientRequest = url.startsWith("https:")
      ? httpsRequest(url, { ...options, agent: agents.https }, answered)
      : httpRequest(url, { ...options, agent: agents.http }, answered);
    outgoing.on("error", reject);
    outgoing.end(typeof body === "string" ? body : undefined);
  });
}

/** Status, headers and a body, whole or chunk by chunk: as much of a `Response` as our clients look at. */
function responseOf(incoming: IncomingMessage): Response {
  const cancel = async () => {
    incoming.destroy();
  };
  const response = {
    status: incoming.statusCode ?? 0,
    headers: { get: (name: string) => incoming.headers[name] ?? null },
    text: () => readAll(incoming),
    body: { cancel, getReader: () => ({ read: () => readChunk(incoming), cancel }) },
  };
  return response as unknown as Response;
}

function readAll(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () =>
      resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()),
    );
    incoming.on("error", reject);
    incoming.on("close", () => reject(new Error("it broke off")));
  });
}

type Chunk = { readonly done: true } | { readonly done: false; readonly value: Uint8Array };

function readChunk(incoming: IncomingMessage): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const value: Uint8Array | null = incoming.read();
      if (value !== null) finish(() => resolve({ done: false, value }));
      else if (incoming.readableEnded) finish(() => resolve({ done: true }));
    };
    const fail = (error: Error) => finish(() => reject(error));
    const gone = () =>
      finish(() => (incoming.complete ? resolve({ done: true }) : reject(new Error("it broke off"))));
    const finish = (settle: () => void) => {
      incoming.off("readable", look).off("end", look).off("error", fail).off("close", gone);
      settle();
    };
    incoming.on("readable", look).on("end", look).on("error", fail).on("close", gone);
    if (incoming.destroyed) gone();
    else look();
  });
}
