/** Calls of a client to another node, under the names and labels that Splice's clients have. */
import { HttpError } from "@callsign/api";
import type { Clock } from "../host/host.ts";
import type { ExponentialHistogram } from "../observability/exponential-histogram.ts";
import { gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { CountedValue, Labels, Metrics } from "../observability/metrics.ts";

const DURATION = histogram(
  "daml_http_client_requests_duration_seconds",
  "Time of a call to another node until its answer or failure. Status code 0: no answer, or a malformed one.",
  SECONDS,
);
const IN_FLIGHT = gauge(
  "daml_http_client_requests_inflight",
  "Calls to other nodes that wait for their answers.",
);

export interface ClientMetricsParts {
  /** The node that is called: `scan`, `participant`. */
  readonly name: string;
  readonly metrics: Metrics | undefined;
  readonly clock: Clock;
}

type Call = (...given: readonly unknown[]) => Promise<unknown>;

interface MeasuredOperation {
  readonly labels: Labels;
  readonly inFlight: CountedValue;
  readonly byStatus: Map<number, ExponentialHistogram>;
}

/** Counts the calls of a client, by operation and status. */
export class ClientMetrics {
  readonly #parts: ClientMetricsParts;
  readonly #operations = new Map<string, MeasuredOperation>();

  /** Counts nothing without a registry. */
  constructor(parts: ClientMetricsParts) {
    this.#parts = parts;
  }

  /** `statusOf` is the status of a result; 200 if omitted. */
  async measure<T>(
    operation: string,
    call: () => Promise<T>,
    statusOf: (result: T) => number = () => 200,
  ): Promise<T> {
    const { metrics, clock } = this.#parts;
    if (metrics === undefined) return call();
    const measured = this.#operations.get(operation) ?? this.#open(metrics, operation);
    const begun = clock.elapsedMilliseconds();
    let status = 0;
    measured.inFlight.add();
    try {
      const result = await call();
      status = statusOf(result);
      return result;
    } catch (error) {
      status = error instanceof HttpError ? error.status : 0;
      throw error;
    } finally {
      measured.inFlight.add(-1);
      const duration = measured.byStatus.get(status) ?? openStatus(metrics, measured, status);
      duration.record((clock.elapsedMilliseconds() - begun) / 1000);
    }
  }

  #open(metrics: Metrics, operation: string): MeasuredOperation {
    const labels = { http_client: this.#parts.name, operation };
    const measured = { labels, inFlight: metrics.count(IN_FLIGHT, labels), byStatus: new Map() };
    this.#operations.set(operation, measured);
    return measured;
  }
}

function openStatus(
  metrics: Metrics,
  { labels, byStatus }: MeasuredOperation,
  status: number,
): ExponentialHistogram {
  const duration = metrics.histogram(DURATION, { ...labels, status_code: String(status) });
  byStatus.set(status, duration);
  return duration;
}

/** The same client; its calls are counted. */
export function measureClient<T extends object>(client: T, parts: ClientMetricsParts): T {
  if (parts.metrics === undefined) return client;
  const counted = new ClientMetrics(parts);
  const calls = Object.entries(client as Readonly<Record<string, Call>>).map(([operation, call]) => {
    const measured: Call = (...given) => counted.measure(operation, () => call(...given));
    return [operation, measured];
  });
  return Object.fromEntries(calls) as T;
}
