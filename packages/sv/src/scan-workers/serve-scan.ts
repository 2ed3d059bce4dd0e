/** Scan's API on a port of this process, which writes the index or is one of the workers that read it. */
import { type Host, type HttpServer, type Log, type Metrics, startHttpServer } from "@callsign/node";
import { mountScan, type ScanInterceptor, type ScanSource } from "@callsign/scan";
import { firstSvOf } from "./first-sv.ts";
import type { ScanWorkerOptions } from "./scan-worker-options.ts";
import { watchDamage } from "./watch-damage.ts";

export interface ServedScan {
  readonly options: Omit<ScanWorkerOptions, "path" | "owner">;
  readonly source: ScanSource;
  /** The reason why it is not ready, and the reason why nothing can be written; null if there is none. */
  readonly missing: () => string | null;
  readonly unwritable: () => string | null;
  /** Gets the errors of calls. */
  readonly checkDamage: (error: unknown) => void;
  readonly interceptor?: ScanInterceptor | undefined;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly system: Host;
}

export async function serveScan(parts: ServedScan): Promise<HttpServer> {
  const { options, source, missing, unwritable, checkDamage, interceptor, log, metrics, system } = parts;
  const { listening, id, sv, instanceNames } = options;
  const mounts = mountScan({
    source,
    sv: sv ?? firstSvOf(source.index),
    ...{ instanceNames, interceptor, timers: system.timers },
    health: { id, missing, unwritable, clock: system.clock, port: () => server.port },
  });
  const server = await startHttpServer({
    ...listening,
    mounts: watchDamage(mounts, checkDamage),
    ...{ log, metrics, system },
  });
  return server;
}
