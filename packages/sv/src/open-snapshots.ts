/** The snapshots of an SV's node, and what may be pruned behind them. */
import { DAY, type Time } from "@callsign/ledger";
import { type Host, type Metrics, sha256 } from "@callsign/node";
import {
  declareSnapshotMetrics,
  LogPruner,
  readFirstEntry,
  SnapshotFolder,
  SnapshotMaker,
  type SnapshotSource,
} from "@callsign/synchronizer";
import type { Core } from "./open-core.ts";
import type { SvSubmitter } from "./submission/sv-submitter.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

const DEFAULT_RETENTION = 30n * DAY;

export interface OpenedSnapshots {
  readonly start: () => void;
  /** The last snapshot that a quorum of the SVs has attested; null if this SV has none. */
  readonly proven: () => SnapshotSource | null;
  /** Removes what may go now. */
  readonly prune: () => Promise<void>;
  readonly close: () => Promise<void>;
}

type SnapshotsConfig = Pick<
  SvNodeConfig,
  "dataFolder" | "identity" | "orderedLog" | "log" | "retentionMicroseconds"
>;

export function openSnapshots(
  { dataFolder, identity, orderedLog, log, retentionMicroseconds = DEFAULT_RETENTION }: SnapshotsConfig,
  { replica, streams, index, agenda, appIndex }: Core,
  {
    submitter,
    now,
    metrics,
    host,
  }: {
    readonly submitter: SvSubmitter;
    readonly now: () => Time;
    /** Of the SV's sequencer; none are kept if undefined. */
    readonly metrics: Metrics | undefined;
    readonly host: Host;
  },
): OpenedSnapshots {
  const maker = new SnapshotMaker({
    ...{ replica, now, log, host, sv: identity.id, hash: sha256 },
    consumers: [streams, index, agenda, appIndex],
    folder: new SnapshotFolder(dataFolder, { files: host.files, log }),
    readFirst: () => readFirstEntry(orderedLog, new AbortController().signal),
    attest: (claim, signal) => submitter.attestSnapshot(claim, signal),
    onProven: () => pruner.wake(),
  });
  const pruner = new LogPruner({
    ...{ replica, streams, retentionMicroseconds, log, timers: host.timers },
    trimLog: (upTo) => orderedLog.trim(upTo),
    snapshot: () => maker.proven?.manifest.head.sequence ?? 0,
  });
  if (metrics !== undefined) declareSnapshotMetrics(metrics, { maker, pruner, log: orderedLog, now });
  return {
    start: () => {
      maker.start();
      pruner.start();
    },
    proven: () => maker.proven,
    prune: () => pruner.prune(),
    close: async () => {
      await pruner.close();
      await maker.close();
    },
  };
}
