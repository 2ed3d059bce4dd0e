/**
 * Scan's API in several worker processes, while this one writes the index. It tells the workers of each commit and of its own
 * health; they tell it of damage that they read.
 */
import { extname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  boundWriteAheadLog,
  gauge,
  type Host,
  type HttpServer,
  type Log,
  type Metrics,
  startInterval,
  startWorkers,
} from "@callsign/node";
import { type Replica, ReplicaDamaged } from "@callsign/synchronizer";
import { HEALTH_CHECK_MILLISECONDS } from "../limits/limits.ts";
import type { DamageReport, ScanNews, ScanWorkerOptions } from "./scan-worker-options.ts";

export interface ScanWorkersParts {
  /** Two or more. */
  readonly count: number;
  readonly options: ScanWorkerOptions;
  readonly database: DatabaseSync;
  readonly replica: Replica;
  /** Gets damage that a worker has read. */
  readonly onDamage: (damage: ReplicaDamaged) => void;
  readonly missing: () => string | null;
  readonly unwritable: () => string | null;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly system: Host;
}

/** The script has the ending of this file: packages have JavaScript. */
const SCRIPT = join(import.meta.dirname, `../start-scan-worker${extname(import.meta.filename)}`);

export async function startScanWorkers(parts: ScanWorkersParts): Promise<HttpServer> {
  const { count, options, database, replica, onDamage, missing, unwritable, log, metrics, system } = parts;
  const readNews = (): ScanNews => ({ missing: missing(), unwritable: unwritable() });
  let told = readNews();
  const workers = await startWorkers({
    ...{ script: SCRIPT, count, options, log, metrics, system },
    news: () => told,
    onReport: (report) => onDamage(new ReplicaDamaged((report as DamageReport).damage)),
  });
  const tell = () => {
    told = readNews();
    workers.tell();
  };
  replica.onCommitted(() => {
    tell();
    boundWriteAheadLog(database, system.clock);
  });
  const endChecks = startInterval(
    () => {
      const { missing: lacking, unwritable: reason } = readNews();
      if (lacking !== told.missing || reason !== told.unwritable) tell();
    },
    HEALTH_CHECK_MILLISECONDS,
    system.timers,
  );
  // Commits of the start may have come before anybody listened to them.
  tell();
  metrics?.declare(
    gauge("callsign_scan_workers", "Worker processes that serve this scan's API now."),
    workers.ready,
  );
  return {
    ...{ url: workers.url, port: workers.port },
    close: async () => {
      endChecks();
      await workers.close();
    },
  };
}
