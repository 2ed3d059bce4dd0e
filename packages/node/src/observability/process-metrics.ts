import type { Metrics } from "./metrics.ts";

export function declareProcessMetrics(metrics: Metrics): void {
  metrics.declare(
    { name: "process_resident_memory_bytes", help: "Resident memory of the process.", type: "gauge" },
    () => process.memoryUsage.rss(),
  );
  metrics.declare(
    {
      name: "process_cpu_seconds_total",
      help: "Processor time that the process has used.",
      type: "counter",
    },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
}
