/** Agreement of scans: how reads end, and how often each scan agreed, differed, failed or was slow. */
import { counter, type Metrics } from "@callsign/node";

const READS = counter(
  "callsign_scan_reads_total",
  "Rounds of questions to scans, by their end: agreed, refused (they agree on a refusal) or open.",
);
const VOTES = counter(
  "callsign_scan_votes_total",
  "Answers of each scan: agreed, differed, failed, slow, or answered where there was nothing to compare with.",
);

type ReadEnd = "agreed" | "refused" | "open";
type VoteEnd = "agreed" | "differed" | "failed" | "slow" | "answered";

export class ScanMetrics {
  readonly #metrics: Metrics | undefined;

  /** Counts nothing without a registry. */
  constructor(metrics: Metrics | undefined) {
    this.#metrics = metrics;
  }

  countRead(end: ReadEnd): void {
    this.#metrics?.count(READS, { end }).add();
  }

  countVote(scan: string, vote: VoteEnd): void {
    this.#metrics?.count(VOTES, { scan, vote }).add();
  }
}
