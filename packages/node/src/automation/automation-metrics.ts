import { type MetricDeclaration, type Metrics, oncePerTurn } from "../observability/metrics.ts";
import type { AutomationStatus } from "./automation-status.ts";

interface AutomationMetric extends MetricDeclaration {
  readonly value: (status: AutomationStatus) => number;
}

const AUTOMATION_METRICS: readonly AutomationMetric[] = [
  {
    name: "callsign_automation_done_total",
    help: "Submissions of the automation that the ledger took.",
    type: "counter",
    value: ({ done }) => done,
  },
  {
    name: "callsign_automation_lost_total",
    help: "Submissions that were refused because another had done the work.",
    type: "counter",
    value: ({ lost }) => lost,
  },
  {
    name: "callsign_automation_failed_total",
    help: "Submissions that were refused or not heard of, though the work was still to be done.",
    type: "counter",
    value: ({ failed }) => failed,
  },
  {
    name: "callsign_automation_waiting",
    help: "Tasks of the automation that wait: for their turn, another try, or confirmations of others.",
    type: "gauge",
    value: ({ waiting }) => waiting,
  },
  {
    name: "callsign_automation_paused",
    help: "Whether the automation is left to others, or nobody: 1 or 0.",
    type: "gauge",
    value: ({ paused }) => (paused ? 1 : 0),
  },
];

/** One sample for each automation. */
export function declareAutomationMetrics(
  metrics: Metrics,
  statuses: () => readonly AutomationStatus[],
): void {
  const read = oncePerTurn(statuses);
  for (const { value, ...declaration } of AUTOMATION_METRICS) {
    metrics.declare(declaration, () =>
      read().map((status) => ({ labels: { automation: status.automation }, value: value(status) })),
    );
  }
}
