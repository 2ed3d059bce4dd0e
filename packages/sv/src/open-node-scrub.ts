/** The scrub of an SV's node. A finding halts the node's replica; a damaged log is not rebuilt. */
import { type Host, type Metrics, openDatabase, sha256 } from "@callsign/node";
import { declareScrubMetrics, openScrub, type Scrub } from "@callsign/synchronizer";
import type { Follower } from "./follow-log.ts";
import { type Core, type CoreConfig, openIndexes } from "./open-core.ts";

interface NodeScrubParts {
  readonly follower: Pick<Follower, "halt" | "refuseLog">;
  readonly metrics: Metrics | undefined;
  readonly host: Host;
}

export function openNodeScrub(
  config: CoreConfig,
  { replica, streams, index, agenda, appIndex }: Core,
  { follower, metrics, host }: NodeScrubParts,
): Scrub {
  const scrub = openScrub({
    ...{ replica, orderedLog: config.orderedLog, hash: sha256, log: config.log },
    ...{ timers: host.timers, clock: host.clock },
    consumers: [streams, index, agenda, appIndex],
    openMemory: () => openDatabase(":memory:"),
    openConsumers: (state) => Object.values(openIndexes(config, state)),
    onFinding: ({ store, message }) =>
      store === "log" ? follower.refuseLog(message) : follower.halt(message),
  });
  if (metrics !== undefined) declareScrubMetrics(metrics, scrub);
  return scrub;
}
