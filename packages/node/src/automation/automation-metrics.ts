import { counter, gauge, type MetricDeclaration } from "../observability/metric-declaration.ts";
import { type Metrics, oncePerTurn } from "../observability/metrics.ts";
import type { AutomationStatus } from "./automation-status.ts";

const AUTOMATION_METRICS: readonly (readonly [MetricDeclaration, (status: AutomationStatus) => number])[] = [
  [
    counter("callsign_automation_done_total", "Submissions of the automation that the ledger took."),
    ({ done }) => done,
  ],
  [
    counter(
      "callsign_automation_lost_total",
      "Submissions that were refused because another had done the work.",
    ),
    ({ lost }) => lost,
  ],
  [
    counter(
      "callsign_automation_failed_total",
      "Submissions that were refused or not heard of, though the work was still to be done.",
    ),
    ({ failed }) => failed,
  ],
  [
    gauge(
      "callsign_automation_waiting",
      "Tasks of the automation that wait: for their turn, another try, coin, or confirmations of others.",
    ),
    ({ waiting }) => waiting,
  ],
  [
    gauge("callsign_automation_paused", "Whether the automation is left to others, or nobody: 1 or 0."),
    ({ paused }) => (paused ? 1 : 0),
  ],
];

/** One sample for each automation. */
export function declareAutomationMetrics(
  metrics: Metrics,
  statuses: () => readonly AutomationStatus[],
): void {
  const read = oncePerTurn(statuses);
  for (const [declaration, value] of AUTOMATION_METRICS) {
    metrics.declare(declaration, () =>
      read().map((status) => ({ labels: { automation: status.automation }, value: value(status) })),
    );
  }
}
