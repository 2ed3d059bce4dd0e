/** Attempts of automations, under the names and labels that Splice's triggers have. */
import { type ErrorCode, errorCatalogue, errorCategories } from "@callsign/ledger";
import { counter, gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { CountedValue, Metrics } from "../observability/metrics.ts";
import type { TaskOutcome } from "./task-outcome.ts";

const LATENCY = histogram(
  "splice_trigger_latency_duration_seconds",
  "Time of an attempt at a task of the automation.",
  SECONDS,
);
const ITERATIONS = counter(
  "splice_trigger_iterations_total",
  "Times that the automation looked for due tasks, or decided on a subject's tasks.",
);
const ATTEMPTED = counter(
  "splice_trigger_attempted_total",
  "Attempts at tasks of the automation, by status and error code.",
);
const COMPLETED = counter(
  "splice_trigger_completed_total",
  "Attempts at tasks of the automation, by their end: success, stale, skipped, waiting or failure.",
);
const FAILURES = gauge(
  "splice_retries_failures",
  "Failed attempts: transient ones, and fatal ones of tasks that keep failing.",
);

const OUTCOMES = {
  ...{ done: "success", stale: "stale", skipped: "skipped" },
  ...{ waiting: "waiting", failed: "failure" },
} as const;
const NO_ERROR = { statusCode: "OK", errorCodeId: "", contentionFailure: "false" };

export interface TriggerMetricsParts {
  readonly metrics: Metrics;
  /** `polling`: it looks for its due tasks. `taskbased`: changes of the ledger bring them. */
  readonly type: "polling" | "taskbased";
}

export interface TriggerAttempt {
  readonly outcome: TaskOutcome;
  readonly milliseconds: number;
  /** The task is shared, and one SV does it for all. */
  readonly isShared: boolean;
}

export class TriggerMetrics {
  readonly #parts: TriggerMetricsParts;
  readonly #iterations = new Map<string, CountedValue>();

  constructor(parts: TriggerMetricsParts) {
    this.#parts = parts;
  }

  countIteration(automation: string): void {
    let iterations = this.#iterations.get(automation);
    if (iterations === undefined) {
      iterations = this.#parts.metrics.count(ITERATIONS, this.#labels(automation));
      this.#iterations.set(automation, iterations);
    }
    iterations.add();
  }

  countAttempt(automation: string, { outcome, milliseconds, isShared }: TriggerAttempt): void {
    const { metrics } = this.#parts;
    const labels = this.#labels(automation);
    metrics.histogram(LATENCY, labels).record(milliseconds / 1000);
    metrics.count(COMPLETED, { ...labels, outcome: OUTCOMES[outcome.kind] }).add();
    const status = outcome.kind === "failed" ? statusOf(outcome.reason) : NO_ERROR;
    metrics.count(ATTEMPTED, { ...labels, ...status, isDsoDelegateTrigger: String(isShared) }).add();
  }

  countFailure(automation: string, kind: "transient" | "fatal"): void {
    const labels = { ...this.#labels(automation), operation: automation, error_kind: kind };
    this.#parts.metrics.count(FAILURES, labels).add();
  }

  #labels(automation: string) {
    return { trigger_name: automation, trigger_type: this.#parts.type };
  }
}

/** A failure of the ledger begins with its code. */
function statusOf(reason: string): typeof NO_ERROR {
  const code = /^[A-Z][A-Z0-9_]+(?=[:(])/.exec(reason)?.[0] ?? "";
  if (!(code in errorCatalogue)) return { ...NO_ERROR, statusCode: "UNKNOWN" };
  const { category } = errorCatalogue[code as ErrorCode];
  // The error's contract decides on its own category.
  const statusCode = (category === "by-contract" ? null : errorCategories[category].grpcCode) ?? "UNKNOWN";
  // Another submission holds a lock or a contract, or has archived it.
  const isContention = statusCode === "ABORTED" || statusCode === "NOT_FOUND";
  return { statusCode, errorCodeId: code, contentionFailure: String(isContention) };
}
