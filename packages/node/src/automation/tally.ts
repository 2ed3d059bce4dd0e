/** Outcomes of attempts since the process started, by automation. Every total is the sum of these. */
import type { Time } from "@callsign/ledger";
import type { TaskOutcome } from "./task-outcome.ts";

export interface OutcomeCounts {
  done: number;
  lost: number;
  failed: number;
  lastDoneAt: Time | null;
}

export class Tally {
  readonly #counts = new Map<string, OutcomeCounts>();

  of(automation: string): OutcomeCounts {
    let counts = this.#counts.get(automation);
    if (counts === undefined) {
      counts = { done: 0, lost: 0, failed: 0, lastDoneAt: null };
      this.#counts.set(automation, counts);
    }
    return counts;
  }

  /** Failures are counted by the runner: on an SV a refused attempt may be a lost race. */
  count(automation: string, { kind }: TaskOutcome, ledgerTime: Time): void {
    const counts = this.of(automation);
    if (kind === "stale") counts.lost++;
    if (kind !== "done") return;
    counts.done++;
    counts.lastDoneAt = ledgerTime;
  }

  total(outcome: "done" | "lost" | "failed"): number {
    let total = 0;
    for (const counts of this.#counts.values()) total += counts[outcome];
    return total;
  }
}
