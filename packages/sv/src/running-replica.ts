/** A replica that follows the log, with its consumers and its scrub. It is an SV's own, or the SVs of a process share it. */
import type { Host, Metrics, RebuiltFile } from "@callsign/node";
import { declareScrubMetrics, type Scrub } from "@callsign/synchronizer";
import { type Follower, followLog } from "./follow-log.ts";
import { type Core, type CoreConfig, openCore, ownerOf, replicaPath } from "./open-core.ts";
import { openNodeScrub } from "./open-node-scrub.ts";

export interface RunningReplica {
  readonly core: Core;
  /** The database's file. */
  readonly path: string;
  /** The mark of the database. */
  readonly owner: string;
  readonly follower: Follower;
  /** Looks for stored bytes that have changed. */
  readonly scrub: Scrub;
  /** The damaged file that was moved aside at the start, and is rebuilt; null if it was sound. */
  readonly rebuilt: RebuiltFile | null;
  /** To be called once everything that hears of pages listens. */
  readonly start: () => void;
  /** To be called once nobody reads the database any more. */
  readonly close: () => Promise<void>;
}

export async function openRunningReplica(
  config: CoreConfig,
  { metrics, host }: { readonly metrics: Metrics | undefined; readonly host: Host },
): Promise<RunningReplica> {
  const { orderedLog, log } = config;
  const core = await openCore(config, host);
  const { database, replica, rebuilt } = core;
  try {
    const path = replicaPath(config);
    const follower = followLog({ replica, orderedLog, host, log, path });
    const scrub = openNodeScrub(config, core, { follower, host });
    let closing: Promise<void> | undefined;
    const close = async () => {
      await follower.stop();
      await scrub.close();
      database.close();
    };
    return {
      ...{ core, path, owner: ownerOf(config), follower, scrub, rebuilt },
      start: () => {
        // A start that failed has left none behind.
        if (metrics !== undefined) declareScrubMetrics(metrics, scrub);
        follower.start();
        scrub.start();
      },
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
