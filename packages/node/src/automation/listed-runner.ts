/**
 * Runs one automation that lists its tasks. It lists when the ledger or its time moved on, runs each owner's tasks one
 * after the other and several owners' at once, and waits for none longer than a limit. A failed task is retried after a
 * growing pause, or when its owner receives the coin it needs. Done tasks show on the ledger, so a restart or a second
 * listing does no harm.
 */
import { type AnyTemplateDeclaration, type Time, timeFromMicros } from "@callsign/ledger";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { withDeadline } from "../waiting/deadline.ts";
import { KeyedQueue } from "../waiting/keyed-queue.ts";
import { sleep } from "../waiting/sleep.ts";
import { type AutomationStatus, statusOfTasks } from "./automation-status.ts";
import { type FailedTask, FailedTasks } from "./failed-tasks.ts";
import { LISTED_LIMITS, LISTED_RETRY, STUCK_FAILURES } from "./limits.ts";
import type { LedgerAdvance, ListedAutomation } from "./listed-automation.ts";
import { OwnerLanes } from "./owner-lanes.ts";
import { SkippedTasks } from "./skipped-tasks.ts";
import { Tally } from "./tally.ts";
import type { TaskNotDone, TaskOutcome } from "./task-outcome.ts";
import type { TriggerMetrics } from "./trigger-metrics.ts";

export interface ListedRunnerParts {
  readonly host: Pick<Host, "clock" | "timers">;
  readonly ledgerTime: () => Time;
  /** False while the local copy of the ledger lacks contracts: their tasks would be done again. */
  readonly isWhole: () => boolean;
  /** A contract of this template makes every skipped task worth another attempt. */
  readonly reconsiderSkippedOn: AnyTemplateDeclaration;
  /** Turns an error that `perform` throws into an outcome. */
  readonly toFailure: (error: unknown) => TaskNotDone;
  readonly log: Log;
  /** The metrics of its attempts; nothing is counted if omitted. */
  readonly metrics?: TriggerMetrics | undefined;
}

const LISTING = "listing";

export class ListedRunner<Name extends string = string> {
  readonly automation: ListedAutomation<Name>;
  readonly #parts: ListedRunnerParts;
  readonly #concerns: ReadonlySet<string>;
  readonly #failed: FailedTasks;
  readonly #skipped: SkippedTasks;
  readonly #lanes: OwnerLanes;
  readonly #tally = new Tally();
  readonly #closing = new AbortController();
  readonly #listings = new KeyedQueue();
  #nextDueAt: bigint | null = null;
  #restsUntil = 0;
  #isResting = false;
  /** More tasks are due than were queued. */
  #isCut = false;
  #isPaused = false;

  constructor(automation: ListedAutomation<Name>, parts: ListedRunnerParts) {
    this.automation = automation;
    this.#parts = parts;
    this.#failed = new FailedTasks(automation.retry ?? LISTED_RETRY);
    this.#concerns = new Set(automation.concerns.map(({ entity }) => entity));
    this.#skipped = new SkippedTasks(parts.reconsiderSkippedOn.entity);
    const { ownersAtOnce = LISTED_LIMITS.ownersAtOnce } = automation;
    this.#lanes = new OwnerLanes((task, owner) => this.#run(task, owner), ownersAtOnce);
  }

  /** The ledger moved on. */
  advance(advance: LedgerAdvance): void {
    const { paid, touched, owners } = advance;
    const isReconsidered = this.#skipped.advance(advance);
    this.#failed.meetNeed(paid);
    this.automation.onPaid?.(paid);
    const isTouched = [...touched].some((entity) => this.#concerns.has(entity));
    if (isTouched) this.automation.onChanged?.(owners);
    if (isTouched || isReconsidered || this.#isTime || (paid.size > 0 && this.#failed.size > 0)) this.wake();
  }

  /** Queues the due tasks. Calls during a listing share the one behind it, calls during its rest the one to come. */
  wake(): void {
    if (this.#isPaused || this.#isResting || this.#listings.count(LISTING) > 1) return;
    void this.#listings.run(LISTING, () => this.#list());
  }

  /** Tasks under way are completed; no other one begins. */
  pause(): void {
    this.#isPaused = true;
    this.#lanes.clear();
  }

  resume(): void {
    this.#isPaused = false;
    this.wake();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Runs the due tasks, and returns how many were done. */
  async runDue(): Promise<number> {
    const before = this.#tally.total("done");
    this.wake();
    await this.#listings.idle();
    await this.#lanes.idle();
    return this.#tally.total("done") - before;
  }

  /** The ledger time at which the next task falls due, by the last listing. */
  get nextDueAt(): bigint | null {
    return this.#isPaused ? null : this.#nextDueAt;
  }

  /** True if it is time for a task or a retry. */
  get isDue(): boolean {
    return this.#isTime || this.nextRetryAt <= this.#now();
  }

  get #isTime(): boolean {
    return this.nextDueAt !== null && this.nextDueAt <= this.#parts.ledgerTime();
  }

  /** By the process's clock; infinity if no task waits for a retry. */
  get nextRetryAt(): number {
    return this.#isPaused ? Number.POSITIVE_INFINITY : this.#failed.nextRetryAt();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#lanes.clear();
    await this.#listings.idle();
    this.#lanes.clear();
    await this.#lanes.idle();
  }

  status(): AutomationStatus<Name> {
    const { name } = this.automation;
    const failing = [...this.#failed.all()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const shown = statusOfTasks(failing.map((failure) => ({ key: failure.key, isInFlight: false, failure })));
    return {
      ...{ automation: name, paused: this.#isPaused, ...this.#tally.of(name), ...shown },
      inFlight: this.#lanes.running,
      waiting: this.#lanes.waiting + failing.length,
      nextDueAt: this.nextDueAt === null ? null : timeFromMicros(this.nextDueAt),
    };
  }

  /** Every task that failed or waits. */
  notDone(): Iterable<FailedTask> {
    return this.#failed.all();
  }

  async #list(): Promise<void> {
    const { host, log, toFailure } = this.#parts;
    const rest = this.#restsUntil - this.#now();
    this.#isResting = rest > 0;
    if (this.#isResting) await sleep(rest, { timers: host.timers, signal: this.#closing.signal });
    this.#isResting = false;
    if (this.#isClosing || this.#isPaused) return;
    try {
      await this.#listOnce();
    } catch (error) {
      const fields = { automation: this.automation.name, error: toFailure(error).reason };
      if (!this.#isClosing) log.warn(fields, "listing of due tasks failed");
    }
  }

  async #listOnce(): Promise<void> {
    if (!this.#parts.isWhole()) return;
    this.#parts.metrics?.countIteration(this.automation.name);
    const now = this.#parts.ledgerTime();
    const began = this.#now();
    const seen = new Set<string>();
    let queued = 0;
    let last: string | undefined = "";
    let isCut = false;
    while (last !== undefined && !isCut && !this.#isClosing) {
      const page = await this.automation.listDue(now, last);
      for (const { task, owner } of page) {
        seen.add(task);
        if (this.#skipped.has(task) || !this.#failed.mayTry(task, this.#now())) continue;
        this.#lanes.add(owner, task);
        queued++;
      }
      last = page.at(-1)?.task;
      isCut = queued >= LISTED_LIMITS.queued;
    }
    this.#restAfter(this.#now() - began);
    if (this.#isClosing) return;
    if (isCut) return this.#listWhenDone();
    this.#failed.keepOnly(seen);
    this.#skipped.keepOnly(seen);
    this.#nextDueAt = (await this.automation.nextDueAt?.(now)) ?? null;
  }

  /** With many tasks to list, doing them comes before listing again. */
  #restAfter(milliseconds: number): void {
    const { longListingMilliseconds, restFactor, longestRestMilliseconds } = LISTED_LIMITS;
    if (milliseconds < longListingMilliseconds) return;
    this.#restsUntil = this.#now() + Math.min(restFactor * milliseconds, longestRestMilliseconds);
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  #listWhenDone(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    void this.#lanes.idle().then(() => {
      this.#isCut = false;
      if (!this.#isClosing) this.wake();
    });
  }

  async #run(task: string, owner: string): Promise<void> {
    const { host, toFailure, metrics } = this.#parts;
    const begun = this.#now();
    let outcome: TaskOutcome | null;
    try {
      outcome = await withDeadline(this.#perform(task, owner), LISTED_LIMITS.taskMilliseconds, host.timers);
    } catch (error) {
      outcome = toFailure(error);
    }
    if (outcome === null) return;
    const milliseconds = this.#now() - begun;
    metrics?.countAttempt(this.automation.name, { outcome, milliseconds, isShared: false });
    if (outcome.kind === "failed" || outcome.kind === "waiting") this.#keep(task, owner, outcome);
  }

  /** Counts the outcome also if it comes after the deadline. Null: nothing was tried. */
  async #perform(task: string, owner: string): Promise<TaskOutcome | null> {
    if (this.#isPaused || !this.#parts.isWhole()) return null;
    const { changes } = this.#skipped;
    const { name } = this.automation;
    const outcome = await this.automation.perform(task);
    this.#tally.count(name, outcome, this.#parts.ledgerTime());
    if (outcome.kind === "skipped" && changes === this.#skipped.changes) this.#skipped.add(task, owner);
    if (outcome.kind !== "done") return outcome;
    this.#failed.forget(task);
    this.#parts.log.info({ automation: name, task }, "done");
    return outcome;
  }

  /** Thousands of tasks may fail or wait for months: the log has the first time, and the moment when a task is stuck. */
  #keep(task: string, owner: string, failure: TaskNotDone): void {
    const { name } = this.automation;
    const { failures, inARow } = this.#failed.fail({ key: task, owner }, failure, this.#now());
    if (failure.kind === "failed") this.#tally.of(name).failed++;
    if (this.#isClosing) return;
    const { log } = this.#parts;
    if (failure.kind === "waiting") {
      const { needs, reason, details } = failure;
      const isFirst = inARow === 1;
      if (isFirst) log.info({ automation: name, task, reason, ...details }, `task waits for ${needs}`);
      return;
    }
    const fields = { automation: name, task, failures, error: failure.reason };
    this.#parts.metrics?.countFailure(name, failures < STUCK_FAILURES ? "transient" : "fatal");
    const isNews = failures === 1 || failures === STUCK_FAILURES;
    if (isNews) log.warn(fields, "task failed; it is retried");
    else log.debug(fields, "task failed again");
  }

  #now(): number {
    return this.#parts.host.clock.elapsedMilliseconds();
  }
}
