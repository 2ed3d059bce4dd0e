/** Submissions to sequencers, under the names and labels that Canton's sequencer clients have. */
import { counter, gauge, histogram, type Metrics, SECONDS } from "@callsign/node";
import type { Handover } from "../network/submit-entry.ts";

const PREFIX = "daml_sequencer_client_submissions";
const SENDS = histogram(
  `${PREFIX}_sends_duration_seconds`,
  "Time until a sequencer answered to a submission.",
  SECONDS,
);
const SEQUENCING = histogram(
  `${PREFIX}_sequencing_duration_seconds`,
  "Time from sending a submission until its effect was stored.",
  SECONDS,
);
const DROPPED = gauge(`${PREFIX}_dropped`, "Submissions that did not take effect in time.");
const OVERLOADED = gauge(`${PREFIX}_overloaded`, "Answers of sequencers that they have too much to do.");
const AMPLIFIED = counter(
  `${PREFIX}_amplified_attempts_total`,
  "Submissions that were sent again, to another sequencer.",
);
const UNREACHABLE = counter(`${PREFIX}_no_connection_available_total`, "Sendings that no sequencer took.");
const SUBMITTED_COST = counter(
  "daml_sequencer_client_traffic_control_submitted_event_cost_total",
  "Bytes of submissions that were sent.",
);
const DELIVERED_COST = counter(
  "daml_sequencer_client_traffic_control_event_delivered_cost_total",
  "Bytes of submissions whose effect was stored.",
);

const TYPE = { type: "send-confirmation-request" };

export class SubmissionMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    // Shown as zero until the first one.
    for (const declaration of [DROPPED, OVERLOADED, UNREACHABLE]) metrics.count(declaration, TYPE);
    for (const declaration of [SUBMITTED_COST, DELIVERED_COST, AMPLIFIED]) metrics.count(declaration, TYPE);
  }

  countSending(handover: Handover, attempt: number, milliseconds: number): void {
    this.#metrics.histogram(SENDS).record(milliseconds / 1000);
    if (attempt > 0) this.#metrics.count(AMPLIFIED, TYPE).add();
    if (handover.kind !== "refused") return;
    this.#metrics.count(handover.overloaded === null ? UNREACHABLE : OVERLOADED, TYPE).add();
  }

  countSubmission(bytes: number, milliseconds: number, hasEffect: boolean): void {
    this.#metrics.count(SUBMITTED_COST, TYPE).add(bytes);
    if (hasEffect) {
      this.#metrics.histogram(SEQUENCING).record(milliseconds / 1000);
      this.#metrics.count(DELIVERED_COST, TYPE).add(bytes);
    } else this.#metrics.count(DROPPED, TYPE).add();
  }
}
