/**
 * Calls of a port, under the names and labels that Splice's servers have. Every call passes through here: the series of an
 * operation are found once, and a call then costs two readings of the clock and a few additions.
 */
import type { Endpoint } from "@callsign/api";
import type { Clock } from "../host/host.ts";
import type { ExponentialHistogram } from "../observability/exponential-histogram.ts";
import { gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { CountedValue, Labels, Metrics } from "../observability/metrics.ts";
import type { Arrival } from "./arrival.ts";
import type { MountedApi } from "./mount-api.ts";

const DURATION = histogram(
  "daml_http_requests_duration_seconds",
  "Time from a call's arrival to its answer.",
  SECONDS,
);
const IN_FLIGHT = gauge("daml_http_requests_inflight", "Calls that wait for their answers.");

/** The caller went before it was answered. */
const GONE = 499;

interface MeasuredOperation {
  readonly labels: Labels;
  readonly inFlight: CountedValue;
  readonly byStatus: Map<number, ExponentialHistogram>;
}

export class CallMetrics {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #operations = new Map<Endpoint, MeasuredOperation>();

  constructor(metrics: Metrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /** Answers the call, which never throws or rejects. */
  measure(arrival: Arrival, answer: (arrival: Arrival) => void | Promise<void>): void {
    const { mount, endpoint, response } = arrival;
    const operation = this.#find(mount, endpoint);
    const began = this.#clock.elapsedMilliseconds();
    operation.inFlight.value++;
    const answered = () => {
      operation.inFlight.value--;
      this.#record(operation, response.headersSent ? response.statusCode : GONE, began);
    };
    const waiting = answer(arrival);
    if (waiting === undefined) answered();
    else void waiting.then(answered);
  }

  /** A call that was answered in the turn in which it came. */
  record(
    mount: MountedApi,
    endpoint: Endpoint,
    call: { readonly status: number; readonly began: number },
  ): void {
    this.#record(this.#find(mount, endpoint), call.status, call.began);
  }

  #record(operation: MeasuredOperation, status: number, began: number): void {
    const duration = operation.byStatus.get(status) ?? this.#openStatus(operation, status);
    duration.record((this.#clock.elapsedMilliseconds() - began) / 1000);
  }

  #find(mount: MountedApi, endpoint: Endpoint): MeasuredOperation {
    return this.#operations.get(endpoint) ?? this.#open(mount, endpoint);
  }

  #open({ api, httpServices }: MountedApi, endpoint: Endpoint): MeasuredOperation {
    const labels = { http_service: httpServices?.[endpoint.tags[0]] ?? api.name, operation: endpoint.id };
    const inFlight = this.#metrics.count(IN_FLIGHT, labels);
    const operation = { labels, inFlight, byStatus: new Map<number, ExponentialHistogram>() };
    this.#operations.set(endpoint, operation);
    return operation;
  }

  #openStatus({ labels, byStatus }: MeasuredOperation, code: number): ExponentialHistogram {
    const status = code < 400 ? "completed" : code < 500 ? "rejected" : "failure";
    const duration = this.#metrics.histogram(DURATION, { ...labels, status, status_code: String(code) });
    byStatus.set(code, duration);
    return duration;
  }
}
