import { declareAutomationMetrics, type Metrics, oncePerTurn } from "@callsign/node";
import type { SvAutomations } from "./sv-automations.ts";

const OUTCOMES = ["accepted", "lost", "failed"] as const;

export function declareSvMetrics(metrics: Metrics, automation: SvAutomations): void {
  const status = oncePerTurn(() => automation.status());
  metrics.declare(
    {
      name: "callsign_sv_submissions_total",
      help: "Submissions of the SV's automation, by what became of them.",
      type: "counter",
    },
    () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: status()[outcome] })),
  );
  metrics.declare(
    {
      name: "callsign_sv_tasks_waiting",
      help: "Tasks of the SV's automation that wait for their turn.",
      type: "gauge",
    },
    () => status().waiting,
  );
  declareAutomationMetrics(metrics, () => status().automations);
}
