/**
 * A scan without an SV: a replica of the log with scan's index alone, and its API. It needs no key: being able to read the log
 * is all that an SV has to grant.
 */
import type { InstanceNames } from "@callsign/api";
import { type Host, type Listening, type Log, listeningOf, type Metrics } from "@callsign/node";
import { declareScanMetrics, type ScanIndex } from "@callsign/scan";
import { declareScrubMetrics, type OrderedLog, type Replica, type Scrub } from "@callsign/synchronizer";
import { findMissing, followLog, readGoal } from "./follow-log.ts";
import { openScanCore, ownerOf, replicaPath, startWholeReplica } from "./open-core.ts";
import { openScanScrub } from "./open-node-scrub.ts";
import { startScan } from "./start-scan.ts";

export interface ScanNodeConfig extends Listening {
  readonly dataFolder: string;
  /** Its name in metrics. */
  readonly name: string;
  readonly orderedLog: OrderedLog;
  /** Those of this release if omitted. */
  readonly supportedVersions?: readonly bigint[];
  /** Splice's own names if omitted. */
  readonly spliceInstanceNames?: InstanceNames;
  /** Processes that serve the API while this one follows the log; with 1, the default, this one does both. */
  readonly workers?: number;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly system: Host;
}

export interface ScanNode {
  readonly url: string;
  readonly replica: Replica;
  readonly index: ScanIndex;
  /** Looks for stored bytes that have changed. */
  readonly scrub: Scrub;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  readonly close: () => Promise<void>;
}

export function startScanNode(config: ScanNodeConfig): Promise<ScanNode> {
  return startWholeReplica(replicaPath(config), { start: () => start(config), host: config.system });
}

async function start(config: ScanNodeConfig): Promise<ScanNode> {
  const { orderedLog, log, name, system: host } = config;
  const settings = { ...config, scanWorkers: config.workers ?? 1 };
  const { database, replica, index } = await openScanCore(settings, host);
  const path = replicaPath(config);
  const follower = followLog({ replica, orderedLog, host, log, path });
  try {
    const metrics = config.metrics?.labelled({ node_type: "scan", node_name: name });
    if (metrics !== undefined) declareScanMetrics({ metrics, index, replica });
    // Before the first page is applied: its transaction may stay open for a moment.
    const scrub = openScanScrub(config, { replica, index }, { follower, host });
    const goal = await readGoal({ orderedLog, host, log });
    // SVs trim the log itself; this removes no entry that it still has.
    replica.onDay(() => {
      orderedLog
        .trim(0)
        .catch((error: unknown) => log.warn({ error }, "the copy of the log was not trimmed"));
    });
    const missing = () => findMissing({ follower, replica, goal });
    const unwritable = () => follower.trouble()?.reason ?? null;
    const server = await startScan(settings, {
      ...{
        listening: listeningOf(config),
        sv: null,
        file: { path, owner: ownerOf(config) },
        database,
        replica,
        index,
        follower,
      },
      ...{ missing, unwritable, metrics, system: host },
    });
    if (metrics !== undefined) declareScrubMetrics(metrics, scrub);
    follower.start();
    scrub.start();
    return {
      ...{ url: server.url, replica, index, scrub, missing },
      close: async () => {
        await server.close();
        await follower.stop();
        await scrub.close();
        database.close();
      },
    };
  } catch (error) {
    await follower.stop();
    database.close();
    throw error;
  }
}
