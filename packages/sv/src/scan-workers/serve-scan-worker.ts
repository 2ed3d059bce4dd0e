/** A worker of a scan: its API over a reader of the index. */
import {
  declareProcessMetrics,
  Metrics,
  type MountedApi,
  type StartWorker,
  startHttpServer,
} from "@callsign/node";
import { declareLookupMetrics, mountScan, ScanReader } from "@callsign/scan";
import { isReplicaDamage } from "@callsign/synchronizer";
import { firstSvOf } from "./first-sv.ts";
import type { DamageReport, ScanNews, ScanWorkerOptions } from "./scan-worker-options.ts";

export const serveScanWorker: StartWorker<ScanWorkerOptions, ScanNews> = async (options, first, context) => {
  const { log, host, report } = context;
  const { path, owner, listening, id, instanceNames } = options;
  const database = host.files.openDatabase(path, { readOnly: true, owner });
  const source = new ScanReader(database, host.timers);
  let news = first;
  const mounts = mountScan({
    source,
    sv: options.sv ?? firstSvOf(source.index),
    instanceNames,
    timers: host.timers,
    health: {
      ...{ id, clock: host.clock, port: () => server.port },
      missing: () => news.missing,
      unwritable: () => news.unwritable,
    },
  });
  const tellDamage = (error: unknown) => {
    if (!isReplicaDamage(error)) return;
    const found: DamageReport = { damage: (error as Error).message };
    report(found);
  };
  const watch = (mount: MountedApi): MountedApi => ({
    ...mount,
    rejectionOf: (error, endpoint) => {
      tellDamage(error);
      return mount.rejectionOf?.(error, endpoint) ?? null;
    },
  });
  const metrics = new Metrics();
  declareProcessMetrics(metrics);
  declareLookupMetrics(metrics, source.index);
  const [scan, standard] = mounts;
  const server = await startHttpServer({
    ...listening,
    mounts: [watch(scan), watch(standard)],
    ...{ log, metrics, system: host },
  });
  return {
    ...{ url: server.url, port: server.port, metrics },
    takeNews: (latest) => {
      news = latest;
      try {
        source.follow();
      } catch (error) {
        tellDamage(error);
        log.error({ error }, "the index could not be read");
      }
    },
    close: async () => {
      await server.close();
      database.close();
    },
  };
};
