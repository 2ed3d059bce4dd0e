/** The worker's side: the main function of a worker's script. It runs until the process that started it says so, or ends. */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createWorkerLog } from "./worker-log.ts";
import type { FromWorker, StartFailure, ToWorker } from "./worker-message.ts";

export interface WorkerContext {
  readonly log: Log;
  readonly host: Host;
  /** Tells the process that started the worker. */
  readonly report: (report: unknown) => void;
}

export interface RunningWorker<News> {
  readonly url: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly takeNews: (news: News) => void;
  readonly close: () => Promise<void>;
}

export type StartWorker<Options, News> = (
  options: Options,
  news: News,
  context: WorkerContext,
) => Promise<RunningWorker<News>>;

export function runWorker<Options, News>(start: StartWorker<Options, News>, host: Host): void {
  let running: RunningWorker<News> | null = null;
  let latest: News;
  const begin = async ({ options, news, levels }: Extract<ToWorker, { kind: "start" }>) => {
    latest = news as News;
    const context = {
      log: createWorkerLog({ levels, send }),
      host,
      report: (report: unknown) => send({ kind: "report", report }),
    };
    try {
      running = await start(options as Options, latest, context);
      running.takeNews(latest);
      send({ kind: "ready", url: running.url, port: running.port });
    } catch (error) {
      end({ kind: "failed", failure: describeFailure(error) }, 1);
    }
  };
  const gather = async (id: number) => {
    const families = (await running?.metrics.gather(host.timers)) ?? [];
    send({ kind: "gathered", id, families });
  };
  process.on("message", (message: ToWorker) => {
    switch (message.kind) {
      case "start":
        return void begin(message);
      case "news":
        latest = message.news as News;
        return running?.takeNews(latest);
      case "gather":
        return void gather(message.id);
      case "stop":
        return void Promise.resolve(running?.close()).finally(() => end({ kind: "stopped" }, 0));
    }
  });
  // A terminal and a service manager signal every process: the one that started the worker decides when it stops.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
}

/** A process that has gone needs no message: the worker ends by itself. */
function send(message: FromWorker, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent);
}

/** The message is sent behind all others before it. */
function end(message: FromWorker, code: number): void {
  send(message, () => process.exit(code));
}

function describeFailure(error: unknown): StartFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, code, syscall, address, port } = error as Error & StartFailure;
  return Object.fromEntries(
    Object.entries({ message, code, syscall, address, port }).filter(([, value]) => value !== undefined),
  ) as unknown as StartFailure;
}
