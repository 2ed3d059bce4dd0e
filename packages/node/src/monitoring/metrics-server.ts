/** A port for scrapers: `GET /metrics`, in the form that the scraper asks for. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Host } from "../host/host.ts";
import { callerAddressOf } from "../http/caller-address.ts";
import { createCallerRates } from "../http/caller-rates.ts";
import { chooseEncoding } from "../http/compression.ts";
import type { HttpServer } from "../http/http-server.ts";
import type { Listening } from "../http/listening.ts";
import { openPortServer } from "../http/port-server.ts";
import { RefusalLog } from "../http/refusal-log.ts";
import { exposeMetrics } from "../observability/exposition.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";

/** A scraper needs one. */
const MAX_CONNECTIONS = 32;

const compress = promisify(gzip);

export interface MetricsServerParts {
  readonly system: Host;
  readonly log: Log;
}

/** Throws `TlsFilesRejected`. */
export async function startMetricsServer(
  { host, port, tls, callRates = {} }: Listening,
  metrics: Metrics,
  { system, log }: MetricsServerParts,
): Promise<HttpServer> {
  const refusals = new RefusalLog(log, system);
  const portServer = openPortServer({ options: {}, tls, refusals, system, log });
  const { server } = portServer;
  const rates = createCallerRates(callRates, system.clock);
  server.maxConnections = MAX_CONNECTIONS;
  server.on("request", (request, response) => {
    const address = callerAddressOf(request.socket);
    const retryAfter = rates.countAddress(address);
    if (retryAfter !== null) {
      refusals.write(429, "other", () => ({ address, reason: "calls of one address" }));
      return void response.writeHead(429, { "retry-after": String(retryAfter) }).end();
    }
    void answer(request, response, metrics, system).catch(() => response.destroy());
  });
  const listening = await portServer.listen(host, port);
  const close = async () => {
    portServer.close();
    refusals.close();
    const closed = new Promise((resolve) => server.close(resolve));
    portServer.closeConnections();
    await closed;
  };
  return { ...listening, close };
}

async function answer(
  { method = "", url = "", headers }: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  { timers }: Host,
): Promise<void> {
  const [path] = url.split("?");
  if (path !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
    response.writeHead(404, { "content-type": "text/plain" }).end("Metrics are at GET /metrics\n");
    return;
  }
  const { contentType, body } = await exposeMetrics(metrics, headers.accept, timers);
  const isGzip = chooseEncoding(headers["accept-encoding"]?.toString(), ["gzip"]) !== null;
  const sent = isGzip ? await compress(body) : body;
  response
    .writeHead(200, {
      "content-type": contentType,
      "content-length": sent.length,
      ...(isGzip ? { "content-encoding": "gzip" } : {}),
      vary: "accept, accept-encoding",
    })
    .end(method === "HEAD" ? undefined : sent);
}
