import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import { type HttpServer, startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";

type Mount = Parameters<typeof startHttpServer>[0]["mounts"][number];

/** Serves one API, or several, on a free port until the test is over. */
export async function serveMount(
  mount: Mount | readonly [Mount, ...Mount[]],
  atEnd: AtEnd = onTestFinished,
): Promise<HttpServer> {
  const where = { host: "127.0.0.1", port: 0, log: silentLog, system: systemHost };
  const mounts = Array.isArray(mount) ? (mount as readonly [Mount, ...Mount[]]) : ([mount as Mount] as const);
  const server = await startHttpServer({ ...where, mounts });
  atEnd(() => server.close());
  return server;
}
