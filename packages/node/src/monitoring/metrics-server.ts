/** A port for scrapers: `GET /metrics`, in the form that the scraper asks for. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Host } from "../host/host.ts";
import { type HttpServer, listen } from "../http/http-server.ts";
import type { Listening } from "../http/listening.ts";
import { exposeMetrics } from "../observability/exposition.ts";
import type { Metrics } from "../observability/metrics.ts";

/** A scraper needs one. */
const MAX_CONNECTIONS = 32;

const compress = promisify(gzip);

export async function startMetricsServer(
  { host, port }: Listening,
  metrics: Metrics,
  system: Host,
): Promise<HttpServer> {
  const server = system.http.createServer({});
  server.maxConnections = MAX_CONNECTIONS;
  server.on("request", (request, response) => {
    void answer(request, response, metrics, system).catch(() => response.destroy());
  });
  return {
    ...(await listen(server, host, port)),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
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
  const isGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers["accept-encoding"] ?? ""));
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
