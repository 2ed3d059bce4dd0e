/** Calls of a client to another node, under the names and labels that Splice's clients have. */
import { HttpError } from "@callsign/api";
import type { Clock } from "../host/host.ts";
import { gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { Metrics } from "../observability/metrics.ts";

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

/** The same client; its calls are counted. */
export function measureClient<T extends object>(client: T, { name, metrics, clock }: ClientMetricsParts): T {
  if (metrics === undefined) return client;
  const calls = Object.entries(client as Readonly<Record<string, Call>>).map(([operation, call]) => {
    const labels = { http_client: name, operation };
    const measured: Call = async (...given) => {
      const inFlight = metrics.count(IN_FLIGHT, labels);
      const begun = clock.elapsedMilliseconds();
      let status = 200;
      inFlight.add();
      try {
        return await call(...given);
      } catch (error) {
        status = error instanceof HttpError ? error.status : 0;
        throw error;
      } finally {
        inFlight.add(-1);
        const seconds = (clock.elapsedMilliseconds() - begun) / 1000;
        metrics.histogram(DURATION, { ...labels, status_code: String(status) }).record(seconds);
      }
    };
    return [operation, measured];
  });
  return Object.fromEntries(calls) as T;
}
