/** The messages between a process and the workers that serve a port of it. */
import type { LineLevel } from "../observability/log.ts";
import type { MetricFamily } from "../observability/metrics.ts";

/** `options` and `news` are values of the worker's script. */
export type ToWorker =
  | {
      readonly kind: "start";
      readonly options: unknown;
      readonly news: unknown;
      readonly levels: readonly LineLevel[];
    }
  | { readonly kind: "news"; readonly news: unknown }
  | { readonly kind: "gather"; readonly id: number }
  | { readonly kind: "stop" };

export type FromWorker =
  | { readonly kind: "ready"; readonly url: string; readonly port: number }
  | { readonly kind: "failed"; readonly failure: StartFailure }
  | { readonly kind: "report"; readonly report: unknown }
  | {
      readonly kind: "log";
      readonly level: LineLevel;
      readonly fields: object;
      readonly message: string;
    }
  | { readonly kind: "gathered"; readonly id: number; readonly families: readonly MetricFamily[] }
  | { readonly kind: "stopped" };

/** The parts of an error that say why a worker cannot listen. */
export interface StartFailure {
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
}
