/**
 * The one door out: every outgoing HTTP call goes through a client opened here, with pooled connections that stay open.
 * Proxies and client certificates are options of the pool. A redirect is an answer: it is not followed. Callers bound
 * time with a signal and bodies with `readBounded`.
 */
import type { Dispatcher } from "undici";
import type { HttpClient } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";
import { traceHeaders } from "../observability/trace-context.ts";
import { untilAborted } from "../waiting/abort.ts";
import type { TlsClock } from "./client-tls.ts";
import { type Exit, Exits } from "./exits.ts";
import { explainFailure } from "./explain-failure.ts";

/** Throws `TlsFilesRejected` if a file of the options cannot be used. */
export function openHttpClient(machine: TlsClock, options: OutgoingOptions = {}): HttpClient {
  const exits = new Exits(options, machine);
  return {
    fetch: async (url, init) => {
      const target = new URL(url);
      return send(exits.choose(target), target, init);
    },
    close: () => exits.close(),
  };
}

async function send(exit: Exit, target: URL, init: RequestInit): Promise<Response> {
  const { method = "GET", headers, body, signal } = init;
  try {
    const answered = exit.dispatcher.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: method as Dispatcher.HttpMethod,
      headers: { ...(headers as Record<string, string>), ...traceHeaders() },
      body: typeof body === "string" ? body : null,
      signal: signal ?? null,
    });
    // undici heeds the signal of a request only once its connection is there.
    return responseOf(await (signal == null ? answered : untilAborted(answered, signal)));
  } catch (error) {
    throw signal?.aborted === true ? error : explainFailure(error, target, exit);
  }
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
