/** Calls of a client to another node, under the names and labels that Splice's clients have. */
import { HttpError } from "@callsign/api";
import type { Clock } from "../host/host.ts";
import type { ExponentialHistogram } from "../observability/exponential-histogram.ts";
import { gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { CountedValue, Metrics } from "../observability/metrics.ts";

const DURATION = histogram(
  "daml_http_client_requests_duration_seconds",
  "Time of a call to another node until its answer or failure. Status code 0: no answer, or not a valid one.",
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

/** Counts the calls of a client, by operation and status. */
export class ClientMetrics {
  readonly #parts: ClientMetricsParts;
  readonly #inFlight = new Map<string, CountedValue>();
  readonly #durations = new Map<string, ExponentialHistogram>();

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
    const inFlight = this.#inFlightOf(metrics, operation);
    const begun = clock.elapsedMilliseconds();
    let status = 0;
    inFlight.add();
    try {
      const result = await call();
      status = statusOf(result);
      return result;
    } catch (error) {
      status = error instanceof HttpError ? error.status : 0;
      throw error;
    } finally {
      inFlight.add(-1);
      const seconds = (clock.elapsedMilliseconds() - begun) / 1000;
      this.#durationOf(metrics, operation, String(status)).record(seconds);
    }
  }

  #inFlightOf(metrics: Metrics, operation: string): CountedValue {
    const labels = { http_client: this.#parts.name, operation };
    return kept(this.#inFlight, operation, () => metrics.count(IN_FLIGHT, labels));
  }

  #durationOf(metrics: Metrics, operation: string, status: string): ExponentialHistogram {
    const labels = { http_client: this.#parts.name, operation, status_code: status };
    return kept(this.#durations, `${operation} ${status}`, () => metrics.histogram(DURATION, labels));
  }
}

function kept<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
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
