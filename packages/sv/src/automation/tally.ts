/** What became of an SV's submissions since it started, by automation: no total that is not the sum of these. */
import type { Time } from "@callsign/ledger";
import { AUTOMATIONS, type Automation } from "./task.ts";

export interface Counts {
  done: number;
  lost: number;
  failed: number;
  lastDoneAt: Time | null;
}

export class Tally {
  readonly #counts: ReadonlyMap<Automation, Counts> = new Map(
    AUTOMATIONS.map((automation) => [automation, { done: 0, lost: 0, failed: 0, lastDoneAt: null }]),
  );

  of(automation: Automation): Counts {
    const counts = this.#counts.get(automation);
    if (counts === undefined) throw new Error(`no automation is called ${automation}`);
    return counts;
  }

  total(outcome: "done" | "lost" | "failed"): number {
    let total = 0;
    for (const counts of this.#counts.values()) total += counts[outcome];
    return total;
  }
}
