/** A port for probes, `/readyz` and `/livez`, for a role whose API is on another one. */
import { healthApi } from "@callsign/api";
import type { Host } from "../host/host.ts";
import { type HealthParts, health } from "../http/health.ts";
import { type HttpServer, startHttpServer } from "../http/http-server.ts";
import type { Listening } from "../http/listening.ts";
import { mountApi, openToAll } from "../http/mount-api.ts";
import type { Log } from "../observability/log.ts";

export interface HealthServerParts extends Pick<HealthParts, "id" | "missing"> {
  /** A prefix under which probes are answered too, as `/api/validator`. */
  readonly basePath?: `/${string}`;
  readonly log: Log;
}

export async function startHealthServer(
  listening: Listening,
  { basePath, log, ...parts }: HealthServerParts,
  system: Host,
): Promise<HttpServer> {
  const mount = mountApi(healthApi(basePath ?? ""), {
    ...openToAll,
    handlers: health({ ...parts, port: () => server.port, clock: system.clock }),
  });
  // Probes come from other machines, under any name of this one.
  const server = await startHttpServer({
    ...listening,
    ...{ mounts: [mount], localCallersOnly: false, log, system },
  });
  return server;
}
