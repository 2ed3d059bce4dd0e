import type { Metrics } from "@callsign/node";
import type { Replica } from "./replica.ts";

export function declareReplicaMetrics(metrics: Metrics, replica: Replica): void {
  metrics.declare(
    {
      name: "callsign_replica_sequence",
      help: "The last log entry that the SV's replica has applied.",
      type: "gauge",
    },
    () => replica.state.head.sequence,
  );
  metrics.declare(
    {
      name: "callsign_record_time_seconds",
      help: "The record time of that entry, in seconds since 1970.",
      type: "gauge",
    },
    () => Number(replica.state.head.recordTime / 1000n) / 1000,
  );
}
