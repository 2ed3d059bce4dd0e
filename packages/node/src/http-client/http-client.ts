/**
 * The one door out: every outgoing HTTP call goes through a client opened here, with pooled connections that stay open.
 * Proxies and client certificates are options of the pool. A redirect is an answer: it is not followed. Callers bound
 * time with a signal and bodies with `readBounded`.
 */
import { Agent, type Dispatcher } from "undici";
import type { HttpClient } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";

/** Connections to one server. A call beyond them waits for one. */
const MAX_CONNECTIONS = 64;
const KEEP_ALIVE_MILLISECONDS = 30_000;

export function openHttpClient(_options: OutgoingOptions = {}): HttpClient {
  const agent = new Agent({ connections: MAX_CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MILLISECONDS });
  return {
    fetch: (url, init) => send(agent, url, init),
    close: () => void agent.destroy(),
  };
}

async function send(agent: Agent, url: string, init: RequestInit): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  const { method = "GET", headers, body, signal } = init;
  const answer = await agent.request({
    origin,
    path: pathname + search,
    method: method as Dispatcher.HttpMethod,
    headers: headers as Record<string, string>,
    body: typeof body === "string" ? body : null,
    signal: signal ?? null,
  });
  return responseOf(answer);
}

/** Status, headers and a body, whole or chunk by chunk: as much of a `Response` as our clients read. */
function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData): Response {
  const cancel = async () => void body.on("error", () => undefined).destroy();
  const response = {
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    headers: { get: (name: string) => headers[name] ?? null },
    text: () => body.text(),
    body: {
      cancel,
      getReader: () => {
        const chunks = body[Symbol.asyncIterator]();
        return { read: () => chunks.next(), cancel };
      },
    },
  };
  return response as unknown as Response;
}
