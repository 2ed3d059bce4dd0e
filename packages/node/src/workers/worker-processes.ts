/**
 * Worker processes that serve one port of a node, all with one script. `node:cluster` hands the connections out in turn, and
 * the workers end with the process that started them.
 */
import type { Metrics } from "../observability/metrics.ts";
import { type ListeningWorker, WorkerPlace, type WorkerPlaceParts } from "./worker-place.ts";

export interface WorkerProcessesParts extends WorkerPlaceParts {
  readonly count: number;
  /** Has the metrics of the workers as well, by a label. */
  readonly metrics: Metrics | undefined;
}

export interface WorkerProcesses extends ListeningWorker {
  /** The number of workers that serve. */
  readonly ready: () => number;
  /** Tells every worker the latest news. */
  readonly tell: () => void;
  readonly close: () => Promise<void>;
}

/** Rejects if one of them cannot listen. */
export async function startWorkers(parts: WorkerProcessesParts): Promise<WorkerProcesses> {
  const places = Array.from({ length: parts.count }, (_, i) => new WorkerPlace(i + 1, parts));
  const close = async () => {
    await Promise.all(places.map((place) => place.close()));
  };
  const started = await Promise.allSettled(places.map((place) => place.start()));
  const failed = started.find((each) => each.status === "rejected");
  const [first] = started;
  if (failed !== undefined || first?.status !== "fulfilled") {
    await close();
    throw failed?.reason ?? new Error("there are no workers");
  }
  for (const [i, place] of places.entries())
    parts.metrics?.include(() => place.gather(), { worker: String(i + 1) });
  const { url, port } = first.value;
  return {
    ...{ url, port, close },
    ready: () => places.filter(({ isReady }) => isReady).length,
    tell: () => {
      for (const place of places) place.tell();
    },
  };
}
