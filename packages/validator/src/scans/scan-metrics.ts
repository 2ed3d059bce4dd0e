/** Agreement of scans: how reads end, and how often each scan agreed, lied, lagged, failed or was slow. */
import { type CountedValue, counter, type Metrics } from "@callsign/node";
import type { VoteEnd } from "./judge-votes.ts";

const READS = counter(
  "callsign_scan_reads_total",
  "Rounds of questions to scans, by their end: agreed, refused (they agree on a refusal) or open.",
);
const VOTES = counter(
  "callsign_scan_votes_total",
  "Answers of each scan, by verdict: agreed; lied (a different answer at the same record time); lagged (an earlier record time); differed (neither is certain); failed (no answer, an error or a malformed answer); slow (the read ended before the answer); answered (no other answer to compare with).",
);

type ReadEnd = "agreed" | "refused" | "open";

export class ScanMetrics {
  readonly #metrics: Metrics | undefined;
  /** By scan and end. Scans that the network no longer has stay: they are few. */
  readonly #known = new Map<string, CountedValue>();

  /** Counts nothing without a registry. */
  constructor(metrics: Metrics | undefined) {
    this.#metrics = metrics;
  }

  countRead(end: ReadEnd): void {
    this.#count(end, (metrics) => metrics.count(READS, { end }));
  }

  countVote(scan: string, vote: VoteEnd | "slow"): void {
    this.#count(`${scan} ${vote}`, (metrics) => metrics.count(VOTES, { scan, vote }));
  }

  #count(key: string, open: (metrics: Metrics) => CountedValue): void {
    if (this.#metrics === undefined) return;
    let value = this.#known.get(key);
    if (value === undefined) {
      value = open(this.#metrics);
      this.#known.set(key, value);
    }
    value.add();
  }
}
