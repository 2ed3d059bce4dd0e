/** Port 10013: the metrics that the network's parts have declared. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { METRICS_TYPE, type Metrics } from "@callsign/node";

export interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startMetrics(host: string, port: number, metrics: Metrics): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Figures are at GET /metrics\n");
      return;
    }
    response.writeHead(200, { "content-type": METRICS_TYPE }).end(metrics.format());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
