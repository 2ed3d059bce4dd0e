/** Snapshots and pruning as metrics: how far they have come, and what went wrong. */
import type { Time } from "@callsign/ledger";
import { counter, gauge, type Metrics } from "@callsign/node";
import type { SnapshotMaker } from "./snapshot-maker.ts";

export interface SnapshotMetricsParts {
  readonly maker: Pick<SnapshotMaker, "proven" | "counts">;
  readonly pruner: { readonly failures: number };
  readonly log: { readonly start: () => Promise<{ readonly sequence: number }> };
  /** The network's time by this SV's clock. */
  readonly now: () => Time;
}

export function declareSnapshotMetrics(
  metrics: Metrics,
  { maker, pruner, log, now }: SnapshotMetricsParts,
): void {
  const head = () => maker.proven?.manifest.head;
  metrics.declare(
    gauge(
      "callsign_snapshot_sequence",
      "The entry of the SV's last snapshot that a quorum attested; 0 if it has none.",
    ),
    () => head()?.sequence ?? 0,
  );
  metrics.declare(
    gauge(
      "callsign_snapshot_age_seconds",
      "Time since the record time of that entry, by the SV's clock; 0 without a snapshot.",
    ),
    () => Math.max(0, Number(now() - (head()?.recordTime ?? now())) / 1_000_000),
  );
  metrics.declare(
    counter("callsign_snapshots_total", "Snapshots that the SV has made."),
    () => maker.counts.made,
  );
  metrics.declare(
    counter(
      "callsign_snapshot_failures_total",
      "Snapshots that were not made, not attested or not proven at an attempt.",
    ),
    () => maker.counts.failed,
  );
  metrics.declare(
    counter(
      "callsign_snapshot_disagreements_total",
      "Snapshots of the SV that were not the ones that a quorum attested.",
    ),
    () => maker.counts.differed,
  );
  metrics.declare(
    gauge("callsign_log_pruned_sequence", "The last log entry that was pruned; 0 if none was."),
    async () => (await log.start()).sequence,
  );
  metrics.declare(
    counter("callsign_pruning_failures_total", "Attempts to prune log and streams that failed."),
    () => pruner.failures,
  );
}
