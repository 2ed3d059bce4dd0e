/** Agreement of scans: how reads end, and how often each scan agreed, lied, lagged, failed or was slow. */
import { counter, type Metrics } from "@callsign/node";
import type { VoteEnd } from "./judge-votes.ts";

const READS = counter(
  "callsign_scan_reads_total",
  "Rounds of questions to scans, by their end: agreed, refused (they agree on a refusal) or open.",
);
const VOTES = counter(
  "callsign_scan_votes_total",
  "Answers of each scan: agreed, lied (another one at the same record time), lagged, differed, failed, slow, or answered where there was nothing to compare with.",
);

type ReadEnd = "agreed" | "refused" | "open";

export class ScanMetrics {
  readonly #metrics: Metrics | undefined;

  /** Counts nothing without a registry. */
  constructor(metrics: Metrics | undefined) {
    this.#metrics = metrics;
  }

  countRead(end: ReadEnd): void {
    this.#metrics?.count(READS, { end }).add();
  }

  countVote(scan: string, vote: VoteEnd | "slow"): void {
    this.#metrics?.count(VOTES, { scan, vote }).add();
  }
}
