/**
 * The one door out: every outgoing HTTP call goes through a client opened here, with pooled connections that stay open.
 * Proxies and client certificates are options of the pool. A redirect is an answer: it is not followed. Callers bound
 * time with a signal and bodies with `readBounded`.
 */
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import type { HttpClient } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";
import { traceHeaders } from "../observability/trace-context.ts";
import type { TlsClock } from "./client-tls.ts";
import { Exits } from "./exits.ts";
import { explainFailure } from "./explain-failure.ts";
import { IncomingAnswer } from "./incoming-answer.ts";

/** Throws `TlsFilesRejected` if a file of the options cannot be used. */
export function openHttpClient(machine: TlsClock, options: OutgoingOptions = {}): HttpClient {
  const exits = new Exits(options, machine);
  const fetch: HttpClient["fetch"] = async (url, { method = "GET", headers, body, signal }) => {
    const target = new URL(url);
    const exit = exits.choose(target);
    const answer = new IncomingAnswer(signal ?? null);
    const request = {
      origin: target.origin,
      path: target.pathname + target.search,
      method: method as Dispatcher.HttpMethod,
      headers: { ...(headers as Record<string, string>), ...traceHeaders() },
      body: typeof body === "string" ? body : null,
    };
    try {
      if (signal?.aborted !== true) exit.dispatcher.dispatch(request, answer);
      return await answer.head;
    } catch (error) {
      throw signal?.aborted === true ? error : explainFailure(error, target, exit);
    }
  };
  const upgraded = new Set<Duplex>();
  let isClosed = false;
  const upgrade: HttpClient["upgrade"] = async (url, protocol, signal) => {
    const target = new URL(url);
    const options = { origin: target.origin, path: target.pathname + target.search, protocol, signal };
    const { socket } = await exits.choose(target).dispatcher.upgrade(options);
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    if (isClosed) socket.destroy();
    return socket;
  };
  const close = () => {
    isClosed = true;
    exits.close();
    for (const socket of upgraded) socket.destroy();
  };
  return { fetch, upgrade, close };
}
