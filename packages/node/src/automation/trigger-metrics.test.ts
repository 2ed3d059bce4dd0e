import { expect, test } from "vitest";
import { Metrics } from "../observability/metrics.ts";
import { formatText } from "../observability/text-exposition.ts";
import { systemHost } from "../system-host.ts";
import { DONE, failed } from "./task-outcome.ts";
import { TriggerMetrics } from "./trigger-metrics.ts";

test("attempts are counted by their end, and failures by the ledger's error code", async () => {
  const metrics = new Metrics();
  const triggers = new TriggerMetrics({ metrics, type: "taskbased" });
  const attempt = { milliseconds: 500, isShared: true };
  triggers.countAttempt("close-rounds", { ...attempt, outcome: DONE });
  triggers.countAttempt("close-rounds", { ...attempt, outcome: failed("CONTRACT_NOT_FOUND: gone") });
  triggers.countAttempt("close-rounds", { ...attempt, outcome: failed("no connection") });
  triggers.countFailure("close-rounds", "transient");
  triggers.countIteration("close-rounds");
  triggers.countIteration("close-rounds");
  const text = formatText(await metrics.gather(systemHost.timers));
  const labels = 'trigger_name="close-rounds",trigger_type="taskbased"';
  const error = (status: string, code: string, isContention: boolean) =>
    `statusCode="${status}",errorCodeId="${code}",contentionFailure="${isContention}",isDsoDelegateTrigger="true"`;
  for (const line of [
    `splice_trigger_iterations_total{${labels}} 2`,
    `splice_trigger_latency_duration_seconds_sum{${labels}} 1.5`,
    `splice_trigger_completed_total{${labels},outcome="success"} 1`,
    `splice_trigger_completed_total{${labels},outcome="failure"} 2`,
    `splice_trigger_attempted_total{${labels},${error("OK", "", false)}} 1`,
    `splice_trigger_attempted_total{${labels},${error("NOT_FOUND", "CONTRACT_NOT_FOUND", true)}} 1`,
    `splice_trigger_attempted_total{${labels},${error("UNKNOWN", "", false)}} 1`,
    `splice_retries_failures{${labels},operation="close-rounds",error_kind="transient"} 1`,
  ])
    expect(text.split("\n")).toContain(line);
});
