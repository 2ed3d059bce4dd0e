/** The scrub as metrics: its position, its rounds, its findings. */
import { counter, gauge, type Metrics } from "@callsign/node";
import type { Scrub } from "./scrub.ts";

export function declareScrubMetrics(metrics: Metrics, scrub: Scrub): void {
  metrics.declare(
    gauge(
      "callsign_scrub_rows",
      "Rows that the scrub has checked in its present round, by what it checks now.",
    ),
    () => [{ labels: { part: scrub.status.part }, value: scrub.status.rows }],
  );
  metrics.declare(
    counter("callsign_scrub_rounds_total", "Rounds over all stored rows that the scrub has completed."),
    () => scrub.status.rounds,
  );
  metrics.declare(
    counter("callsign_scrub_findings_total", "Stored rows that the scrub found changed."),
    () => scrub.status.findings,
  );
}
