/**
 * All automations of a process that list their tasks. Each lists when the ledger moved on in a way that concerns it. A
 * participant whose parties do nothing receives nothing, so while a task waits for time or for a retry, the network's
 * time is asked for every few seconds.
 */
import { sleep } from "../waiting/sleep.ts";
import { type AutomationStatus, pausedStatus } from "./automation-status.ts";
import type { FailedTask } from "./failed-tasks.ts";
import { WATCH_LIMITS } from "./limits.ts";
import type { LedgerAdvance, ListedAutomation } from "./listed-automation.ts";
import { ListedRunner, type ListedRunnerParts } from "./listed-runner.ts";

export interface ListedRunnersParts<Name extends string> extends ListedRunnerParts {
  /** Every automation that there is, in the order of the status. */
  readonly names: readonly Name[];
  readonly paused: ReadonlySet<Name>;
  /** Learns the network's time. */
  readonly observeTime: () => Promise<void>;
}

export class ListedRunners<Name extends string = string> {
  readonly #parts: ListedRunnersParts<Name>;
  readonly #runners: readonly ListedRunner<Name>[];
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;

  constructor(automations: readonly ListedAutomation<Name>[], parts: ListedRunnersParts<Name>) {
    this.#parts = parts;
    this.#runners = automations.map((automation) => new ListedRunner(automation, parts));
    for (const runner of this.#runners) if (parts.paused.has(runner.automation.name)) runner.pause();
  }

  start(): void {
    for (const runner of this.#runners) runner.wake();
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#runners.map((runner) => runner.close()));
    await this.#watching;
  }

  /** The ledger moved on. */
  advance(advance: LedgerAdvance): void {
    for (const runner of this.#runners) runner.advance(advance);
  }

  /** Pauses the automation, or resumes it. False if it is not set up. */
  setPaused(name: Name, paused: boolean): boolean {
    const runner = this.#find(name);
    if (runner === undefined) return false;
    if (paused) runner.pause();
    else if (runner.isPaused) runner.resume();
    return true;
  }

  /** Runs the due tasks, and returns how many were done. */
  async runDue(): Promise<number> {
    const done = await Promise.all(this.#runners.map((runner) => runner.runDue()));
    return done.reduce((total, each) => total + each, 0);
  }

  status(): readonly AutomationStatus<Name>[] {
    return this.#parts.names.map((name) => this.#find(name)?.status() ?? pausedStatus(name));
  }

  /** Every task of the automation that failed or waits. */
  notDone(name: Name): Iterable<FailedTask> {
    return this.#find(name)?.notDone() ?? [];
  }

  #find(name: Name): ListedRunner<Name> | undefined {
    return this.#runners.find(({ automation }) => automation.name === name);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    const { observeTime, log, host } = this.#parts;
    let wakeAllAt = this.#now() + WATCH_LIMITS.longestMilliseconds;
    while (!signal.aborted) {
      await sleep(this.#pause(), { timers: host.timers, signal });
      if (signal.aborted) return;
      const isForAll = this.#now() >= wakeAllAt;
      const hasWaiting = this.#runners.some(
        ({ nextDueAt, nextRetryAt }) => nextDueAt !== null || nextRetryAt < Number.POSITIVE_INFINITY,
      );
      if (hasWaiting)
        await observeTime().catch((error: unknown) => {
          log.debug({ error: String(error) }, "reading the network's time failed");
        });
      // With many failing tasks one is always to be retried: that must not make the other automations list.
      for (const runner of this.#runners) if (isForAll || runner.isDue) runner.wake();
      if (isForAll) wakeAllAt = this.#now() + WATCH_LIMITS.longestMilliseconds;
    }
  }

  /** Until the next task or retry is due, within limits: the network's clock may be moved at any time. */
  #pause(): number {
    const ledgerTime = this.#parts.ledgerTime();
    let milliseconds: number = WATCH_LIMITS.longestMilliseconds;
    for (const { nextDueAt, nextRetryAt } of this.#runners) {
      // An overdue task waits for others, and shortens no pause.
      if (nextDueAt !== null && nextDueAt > ledgerTime)
        milliseconds = Math.min(milliseconds, Number((nextDueAt - ledgerTime) / 1000n) + 1);
      milliseconds = Math.min(milliseconds, nextRetryAt - this.#now());
    }
    return Math.max(WATCH_LIMITS.shortestMilliseconds, milliseconds);
  }

  #now(): number {
    return this.#parts.host.clock.elapsedMilliseconds();
  }
}
