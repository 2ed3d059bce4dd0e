/**
 * A scan without an SV: a replica of the log with scan's index alone, and its API. It needs no key: being able to read the log
 * is all that an SV has to grant.
 */
import type { InstanceNames } from "@callsign/api";
import { DsoRules, type PartyId } from "@callsign/ledger";
import {
  type Host,
  type Listening,
  type Log,
  listeningOf,
  type Metrics,
  startHttpServer,
} from "@callsign/node";
import { declareScanMetrics, mountScan, ownSource, type ScanIndex } from "@callsign/scan";
import type { OrderedLog, Replica, Scrub } from "@callsign/synchronizer";
import { findMissing, followLog, readGoal } from "./follow-log.ts";
import { openScanCore, replicaPath, startWholeReplica } from "./open-core.ts";
import { openScanScrub } from "./open-node-scrub.ts";
import { watchDamage } from "./serve-node.ts";

export interface ScanNodeConfig extends Listening {
  readonly dataFolder: string;
  /** Its name in metrics. */
  readonly name: string;
  readonly orderedLog: OrderedLog;
  /** Those of this release if omitted. */
  readonly supportedVersions?: readonly bigint[];
  /** Splice's own names if omitted. */
  readonly spliceInstanceNames?: InstanceNames;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly system: Host;
}

export interface ScanNode {
  readonly url: string;
  readonly replica: Replica;
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
  const { database, replica, index } = await openScanCore(config, host);
  const path = replicaPath(config);
  const follower = followLog({ replica, orderedLog, host, log, path });
  try {
    const goal = await readGoal({ orderedLog, host, log });
    // SVs trim the log itself; this removes no entry that it still has.
    replica.onDay(() => {
      orderedLog
        .trim(0)
        .catch((error: unknown) => log.warn({ error }, "the copy of the log was not trimmed"));
    });
    const missing = () => findMissing({ follower, replica, goal });
    const metrics = config.metrics?.labelled({ node_type: "scan", node_name: name });
    if (metrics !== undefined) declareScanMetrics({ metrics, index, replica });
    const scrub = openScanScrub(config, { replica, index }, { follower, metrics, host });
    const mounts = mountScan({
      source: ownSource(index, replica),
      sv: firstSvOf(index),
      instanceNames: config.spliceInstanceNames,
      timers: host.timers,
      health: {
        ...{ id: `scan ${name}`, missing, clock: host.clock },
        unwritable: () => follower.trouble()?.reason ?? null,
        port: () => server.port,
      },
    });
    const server = await startHttpServer({
      ...listeningOf(config),
      mounts: watchDamage(mounts, follower),
      ...{ log, system: host, metrics },
    });
    scrub.start();
    return {
      ...{ url: server.url, replica, scrub, missing },
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

/** Answers about the network name an SV; this scan has none of its own. */
function firstSvOf({ contracts }: ScanIndex) {
  const first = () => contracts.find(DsoRules)?.payload.svs[0];
  return {
    get user(): string {
      return first()?.[1].name ?? "";
    },
    get party(): PartyId {
      return first()?.[0] as PartyId;
    },
  };
}
