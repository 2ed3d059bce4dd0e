/** The process and its JavaScript engine, under the names of OpenTelemetry's conventions. */
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { VERSION } from "../process/version.ts";
import { counter, gauge, histogram, SECONDS } from "./metric-declaration.ts";
import { type Metrics, oncePerTurn, type Sample } from "./metrics.ts";

const GC_DURATION = histogram(
  "v8js_gc_duration_seconds",
  "Pauses of garbage collection since the first scrape, by kind.",
  SECONDS,
);
const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};
interface GcEntry {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

const DELAY_RESOLUTION_MILLISECONDS = 20;

export function declareProcessMetrics(metrics: Metrics): void {
  const declareGauge = (name: string, help: string, read: () => number | readonly Sample[]) =>
    metrics.declare(gauge(name, help), read);
  declareGauge("callsign_build_info", "Always 1; the labels tell which version runs, on which Node.", () => [
    { value: 1, labels: { version: VERSION, node_version: process.versions.node } },
  ]);
  const cpu = counter("process_cpu_seconds_total", "Processor time that the process has used.");
  metrics.declare(cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  declareGauge("process_resident_memory_bytes", "Resident memory of the process.", () =>
    process.memoryUsage.rss(),
  );
  declareGauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", () =>
    Math.round(performance.timeOrigin / 1000),
  );
  const heap = oncePerTurn(getHeapStatistics);
  declareGauge(
    "v8js_memory_heap_used_bytes",
    "Memory of live and not yet collected objects.",
    () => heap().used_heap_size,
  );
  declareGauge("v8js_memory_heap_limit_bytes", "The limit of that memory.", () => heap().heap_size_limit);
  declareGauge(
    "nodejs_active_resources",
    "Open connections, servers, timers and the like, by kind.",
    listResources,
  );
  declareGauge(
    "nodejs_eventloop_utilization_ratio",
    "The share of its life in which the event loop was busy.",
    () => performance.eventLoopUtilization().utilization,
  );
  declareWatched(metrics);
}

/** Watching costs a little: it begins with the first scrape. */
function declareWatched(metrics: Metrics): void {
  let delay: ReturnType<typeof monitorEventLoopDelay> | null = null;
  const watch = () => {
    if (delay !== null) return delay;
    delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MILLISECONDS });
    delay.enable();
    new PerformanceObserver((list) => {
      for (const { duration, detail } of list.getEntries() as unknown as readonly GcEntry[]) {
        const kind = GC_KINDS[detail.kind] ?? "other";
        metrics.histogram(GC_DURATION, { v8js_gc_type: kind }).record(duration / 1000);
      }
    }).observe({ entryTypes: ["gc"] });
    return delay;
  };
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  for (const percentile of [50, 90, 99] as const) {
    metrics.declare(
      gauge(
        `nodejs_eventloop_delay_p${percentile}_seconds`,
        `Delay of the event loop since the first scrape, percentile ${percentile}.`,
      ),
      () => seconds(watch().percentile(percentile)),
    );
  }
  metrics.declare(
    gauge(
      "nodejs_eventloop_delay_max_seconds",
      "The longest delay of the event loop since the first scrape.",
    ),
    () => seconds(watch().max),
  );
}

function listResources(): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, value]) => ({ value, labels: { kind } }));
}
