/** A worker of a scan: its API over a reader of the index. */
import { declareProcessMetrics, Metrics, type StartWorker } from "@callsign/node";
import { declareLookupMetrics, ScanReader } from "@callsign/scan";
import { isReplicaDamage } from "@callsign/synchronizer";
import type { DamageReport, ScanNews, ScanWorkerOptions } from "./scan-worker-options.ts";
import { serveScan } from "./serve-scan.ts";

export const serveScanWorker: StartWorker<ScanWorkerOptions, ScanNews> = async (options, first, context) => {
  const { log, host, report } = context;
  const { path, owner } = options;
  const database = host.files.openDatabase(path, { readOnly: true, owner });
  const source = new ScanReader(database, host.timers);
  let news = first;
  const checkDamage = (error: unknown) => {
    if (!isReplicaDamage(error)) return;
    const found: DamageReport = { damage: (error as Error).message };
    report(found);
  };
  const metrics = new Metrics();
  declareProcessMetrics(metrics);
  declareLookupMetrics(metrics, source.index);
  const server = await serveScan({
    ...{ options, source, checkDamage, log, metrics, system: host },
    missing: () => news.missing,
    unwritable: () => news.unwritable,
  });
  return {
    ...{ url: server.url, port: server.port, metrics },
    takeNews: (latest) => {
      news = latest;
      try {
        source.follow();
      } catch (error) {
        checkDamage(error);
        log.error({ error }, "the index could not be read");
      }
    },
    close: async () => {
      await server.close();
      database.close();
    },
  };
};
