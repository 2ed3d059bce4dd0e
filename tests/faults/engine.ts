/** The engine of a log under faults: a cluster on machines of its own. */
import type { OrderedLog } from "@callsign/synchronizer";
import type { Victim } from "./victim.ts";

export interface Engine {
  readonly kind: "NATS" | "PostgreSQL";
  /** The three servers of the cluster. */
  readonly nodes: readonly Victim[];
  /** Processes between the SVs and the servers. */
  readonly others: readonly Victim[];
  /** The keys under `log`. */
  readonly values: object;
  /** Opens the log for the test. */
  readonly open: () => Promise<OrderedLog>;
  /** Makes another server the primary; null for an engine that chooses its leader itself. */
  readonly failOver: ((options: { readonly isIsolated: boolean }) => Promise<void>) | null;
  /** Resolves when all servers run, are healthy, and follow the leader. */
  readonly heal: () => Promise<void>;
}
