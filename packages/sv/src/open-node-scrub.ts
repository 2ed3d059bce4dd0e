/** The scrub of an SV's node. A finding halts the node's replica; a damaged log is not rebuilt. */
import { type Host, openDatabase, sha256 } from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import { openScrub, type Scrub } from "@callsign/synchronizer";
import type { Follower } from "./follow-log.ts";
import { type Core, type CoreConfig, openIndexes, type ScanCoreConfig } from "./open-core.ts";

interface NodeScrubParts {
  readonly follower: Pick<Follower, "halt" | "refuseLog">;
  readonly host: Host;
}

export function openNodeScrub(
  config: CoreConfig,
  { replica, streams, index, agenda, appIndex }: Core,
  parts: NodeScrubParts,
): Scrub {
  const consumers = [streams, index, agenda, appIndex];
  const openConsumers: Scrubbed["openConsumers"] = (state) => Object.values(openIndexes(config, state));
  return openOver(config, { replica, consumers, openConsumers }, parts);
}

/** The scrub of a scan without an SV. */
export function openScanScrub(
  config: ScanCoreConfig,
  { replica, index }: Pick<Core, "replica" | "index">,
  parts: NodeScrubParts,
): Scrub {
  const openConsumers: Scrubbed["openConsumers"] = (state) => [new ScanIndex(state)];
  return openOver(config, { replica, consumers: [index], openConsumers }, parts);
}

type Scrubbed = Pick<Parameters<typeof openScrub>[0], "replica" | "consumers" | "openConsumers">;

function openOver(
  { orderedLog, log }: ScanCoreConfig,
  scrubbed: Scrubbed,
  { follower, host }: NodeScrubParts,
): Scrub {
  return openScrub({
    ...{ ...scrubbed, orderedLog, hash: sha256, log, timers: host.timers, clock: host.clock },
    openMemory: () => openDatabase(":memory:"),
    onFinding: ({ store, message }) =>
      store === "log" ? follower.refuseLog(message) : follower.halt(message),
  });
}
