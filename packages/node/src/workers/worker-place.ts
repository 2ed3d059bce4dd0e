/** One place among the workers of a port: a process that is started again whenever it ends by itself. */
import cluster, { type Worker } from "node:cluster";
import type { Host, Timer } from "../host/host.ts";
import type { LineLevel, Log } from "../observability/log.ts";
import type { MetricFamily } from "../observability/metrics.ts";
import { Backoff } from "../waiting/backoff.ts";
import { withDeadline } from "../waiting/deadline.ts";
import type { FromWorker, StartFailure, ToWorker } from "./worker-message.ts";

export interface WorkerPlaceParts {
  /** The script of the worker, which calls `runWorker`. */
  readonly script: string;
  /** For the script; values that can be copied. */
  readonly options: unknown;
  /** The latest news for the script. */
  readonly news: () => unknown;
  readonly onReport: (report: unknown) => void;
  readonly log: Log;
  readonly system: Host;
}

export interface ListeningWorker {
  readonly url: string;
  readonly port: number;
}

const LEVELS: readonly LineLevel[] = ["debug", "info", "warn", "error"];
const RESTART = { firstMilliseconds: 100, longestMilliseconds: 30_000 };
const GATHER_MILLISECONDS = 2000;
/** A worker that has not ended so long after it was told to is killed. */
const STOP_MILLISECONDS = 6000;

export class WorkerPlace {
  readonly #number: number;
  readonly #parts: WorkerPlaceParts;
  readonly #backoff = new Backoff(RESTART);
  readonly #gathered = new Map<number, (families: readonly MetricFamily[]) => void>();
  #worker: Worker | null = null;
  #isReady = false;
  #isSending = false;
  #hasNews = false;
  #isClosing = false;
  #asked = 0;
  #restart: Timer | undefined;

  constructor(number: number, parts: WorkerPlaceParts) {
    this.#number = number;
    this.#parts = parts;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when the worker listens; rejects if it cannot. */
  start(): Promise<ListeningWorker> {
    const { script, options, news, log, system } = this.#parts;
    cluster.setupPrimary({ exec: script, args: [], serialization: "advanced" });
    const worker = cluster.fork();
    const began = system.clock.elapsedMilliseconds();
    this.#worker = worker;
    log.info({ worker: this.#number, pid: worker.process.pid }, "worker started");
    return new Promise((resolve, reject) => {
      let failure: Error | null = null;
      worker.on("message", (message: FromWorker) => {
        if (message.kind === "ready") {
          this.#isReady = true;
          resolve(message);
        } else if (message.kind === "failed") failure = asError(message.failure);
        else this.#take(message);
      });
      // A broken channel shows as the worker's end.
      worker.on("error", () => undefined);
      worker.once("exit", (code, signal) => {
        const wasReady = this.#isReady;
        this.#forget();
        if (system.clock.elapsedMilliseconds() - began > RESTART.longestMilliseconds) this.#backoff.reset();
        if (!wasReady) reject(failure ?? new Error(`the worker ended with ${signal ?? code} at its start`));
        else if (!this.#isClosing) this.#startAgain(signal ?? code);
      });
      const levels = LEVELS.filter((level) => log.isLevelEnabled?.(level) ?? level !== "debug");
      this.#send({ kind: "start", options, news: news(), levels });
    });
  }

  /** Tells the worker the latest news. While it takes earlier ones, only the latest wait for it. */
  tell(): void {
    if (this.#isSending) {
      this.#hasNews = true;
      return;
    }
    if (this.#worker === null) return;
    this.#isSending = true;
    this.#hasNews = false;
    this.#send({ kind: "news", news: this.#parts.news() }, () => {
      this.#isSending = false;
      if (this.#hasNews) this.tell();
    });
  }

  /** The metrics of the worker; none while there is no worker, or it does not answer. */
  async gather(): Promise<readonly MetricFamily[]> {
    if (!this.#isReady) return [];
    const id = this.#asked++;
    const answer = new Promise<readonly MetricFamily[]>((resolve) => this.#gathered.set(id, resolve));
    this.#send({ kind: "gather", id });
    const { timers } = this.#parts.system;
    return withDeadline(answer, GATHER_MILLISECONDS, timers).finally(() => this.#gathered.delete(id));
  }

  /** Resolves when the worker has answered its calls and ended. */
  async close(): Promise<void> {
    const { timers } = this.#parts.system;
    this.#isClosing = true;
    timers.clear(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    this.#send({ kind: "stop" });
    const late = timers.set(() => worker.process.kill("SIGKILL"), STOP_MILLISECONDS);
    await ended;
    timers.clear(late);
  }

  #startAgain(end: string | number): void {
    const { log, system } = this.#parts;
    const pause = this.#backoff.next();
    log.error({ worker: this.#number, end, pause }, "a worker ended; it is started again");
    this.#restart = system.timers.set(() => {
      this.start().catch((error: unknown) => {
        if (!this.#isClosing) this.#startAgain(error instanceof Error ? error.message : String(error));
      });
    }, pause);
  }

  #take(message: FromWorker): void {
    if (message.kind === "report") this.#parts.onReport(message.report);
    if (message.kind === "gathered") this.#gathered.get(message.id)?.(message.families);
    if (message.kind === "log")
      this.#parts.log[message.level]({ worker: this.#number, ...message.fields }, message.message);
  }

  #forget(): void {
    this.#worker = null;
    this.#isReady = false;
    this.#isSending = false;
    for (const resolve of this.#gathered.values()) resolve([]);
  }

  /** A worker that has gone takes no message; its end is told elsewhere. */
  #send(message: ToWorker, sent: () => void = () => undefined): void {
    if (this.#worker?.isConnected() === true) this.#worker.send(message, undefined, sent);
  }
}

function asError({ message, ...rest }: StartFailure): Error {
  return Object.assign(new Error(message), rest);
}
