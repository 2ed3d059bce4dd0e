/** Port 10013: the metrics that the network's parts have declared. */
import { type Host, listen, METRICS_TYPE, type Metrics } from "@callsign/node";
import { ADDRESS } from "./ports.ts";

export async function startMetrics(port: number, metrics: Metrics, { http }: Host) {
  const server = http.createServer({}).on("request", (request, response) => {
    const [path] = (request.url ?? "").split("?");
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Figures are at GET /metrics\n");
      return;
    }
    response.writeHead(200, { "content-type": METRICS_TYPE }).end(metrics.format());
  });
  return {
    ...(await listen(server, ADDRESS, port)),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
