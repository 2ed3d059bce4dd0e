/**
 * Runs automations whose tasks are decided subject by subject, from state in this process: those of an SV. A decision
 * about a subject names the tasks it has now; a task that a later decision no longer names needs nothing more. The
 * runner retries each subject's tasks until the ledger shows them done, by this SV or another. Its own tasks are sent at
 * once, shared ones in the order of ranks, so that usually one SV sends. Changed subjects come first, the sweep over
 * all others comes behind them.
 *
 * Bounded: tasks in flight, tasks that wait for a turn, failing tasks that are remembered (`SUBJECT_LIMITS`).
 */
import type { Time } from "@callsign/ledger";
import type { Host, Timer } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { Bell } from "../waiting/bell.ts";
import { type StuckTask, statusOfTasks, type TasksStatus } from "./automation-status.ts";
import { ChangedSubjects } from "./changed-subjects.ts";
import { STUCK_FAILURES, SUBJECT_LIMITS, SUBJECT_RETRY } from "./limits.ts";
import { RankWait } from "./rank-wait.ts";
import type { SharedTask } from "./shared-task.ts";
import { Tally } from "./tally.ts";
import { failed, type TaskOutcome, type TaskWait } from "./task-outcome.ts";
import { type TrackedTask, TrackedTasks } from "./tracked-tasks.ts";
import type { TriggerMetrics } from "./trigger-metrics.ts";

/** A subject has a task only once it can be done, so no task waits. */
export type SubjectOutcome = Exclude<TaskOutcome, TaskWait>;

export interface SubjectRunnerParts<S, T extends SharedTask> {
  readonly idOf: (subject: S) => string;
  /** The tasks of the subject, by the ledger as it is now. */
  readonly decide: (subject: S) => readonly T[];
  /** The next subject that has not changed but may have tasks; null if there is none for now. */
  readonly sweep: () => S | null;
  readonly restartSweep: () => void;
  /** This SV's place in the order for a shared task. */
  readonly rank: (task: T) => number;
  readonly perform: (task: T) => Promise<SubjectOutcome>;
  readonly host: Pick<Host, "clock" | "timers">;
  /** The record time of the last applied entry. */
  readonly ledgerTime: () => Time;
  readonly log: Log;
  /** The metrics of its attempts; nothing is counted if omitted. */
  readonly metrics?: TriggerMetrics | undefined;
}

export interface SubjectRunnerStatus {
  readonly inFlight: number;
  /** Tasks that wait for their turn or for a retry. */
  readonly waiting: number;
  readonly accepted: number;
  readonly lost: number;
  readonly failed: number;
  readonly stuck: readonly StuckTask[];
}

export class SubjectRunner<S, T extends SharedTask> {
  readonly tally = new Tally();
  readonly #parts: SubjectRunnerParts<S, T>;
  readonly #changed = new ChangedSubjects<S>();
  readonly #tasks = new TrackedTasks<S, T>();
  readonly #rankWait = new RankWait();
  /** The oldest first. */
  readonly #sending = new Map<TrackedTask<S, T>, Promise<void>>();
  #isScheduled = false;
  #isRunning = false;
  #isSwept = false;
  #timer: Timer | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #sweepAgainAt = Number.POSITIVE_INFINITY;
  /** Rings when it may be idle. */
  readonly #rest: Bell;

  constructor(parts: SubjectRunnerParts<S, T>) {
    this.#parts = parts;
    this.#rest = new Bell(parts.host.timers);
  }

  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Sends nothing more, and waits for tasks in flight. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#clearTimer();
    await Promise.allSettled(this.#sending.values());
    this.#rest.ring();
  }

  /** Takes effect with the next `wake`. */
  changed(subject: S): void {
    const id = this.#parts.idOf(subject);
    // Without room to remember it, a sweep finds it again.
    if (!this.#changed.add(id, subject, this.#tasks.hasSubject(id))) this.#parts.restartSweep();
  }

  /** Nothing is left to do about the subject: tasks that it has are forgotten with the next `wake`. */
  ended(subject: S): void {
    if (this.#tasks.hasSubject(this.#parts.idOf(subject))) this.changed(subject);
  }

  /** Decisions follow other rules from now on: every subject with a task is decided again, and a sweep finds the others. */
  decideAgain(): void {
    for (const { subject } of this.#tasks.all()) this.changed(subject);
    this.#parts.restartSweep();
    this.wake();
  }

  /** Time has passed or a subject has changed. */
  wake(): void {
    this.#isSwept = false;
    this.#schedule();
  }

  /** Resolves when no task is left that could be done; stuck ones are not waited for. */
  async idle(): Promise<void> {
    await this.#rest.until(() => !this.#isRunning || this.isIdle, {});
  }

  get isIdle(): boolean {
    if (this.#isScheduled || this.#changed.size > 0 || !this.#isSwept) return false;
    return this.#sending.size === 0 && this.#tasks.size === this.#tasks.failed.stuck;
  }

  status(): SubjectRunnerStatus {
    const { inFlight, waiting, stuck } = this.#statusOf([...this.#tasks.all()]);
    return {
      ...{ inFlight, waiting, stuck, accepted: this.tally.total("done") },
      ...{ lost: this.tally.total("lost"), failed: this.tally.total("failed") },
    };
  }

  /** By automation; automations without tasks are left out. */
  tasksByAutomation(): ReadonlyMap<string, TasksStatus> {
    const byAutomation = Map.groupBy(this.#tasks.all(), ({ task }) => task.automation);
    return new Map([...byAutomation].map(([automation, tasks]) => [automation, this.#statusOf(tasks)]));
  }

  #statusOf(tasks: readonly TrackedTask<S, T>[]): TasksStatus {
    return statusOfTasks(
      tasks.map(({ task: { key }, isInFlight }) => ({
        ...{ key, isInFlight, failure: this.#tasks.failed.find(key) },
      })),
    );
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isRunning) return;
    this.#isScheduled = true;
    this.#parts.host.timers.soon(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    if (!this.#isRunning) return;
    for (let decisions = 0; decisions < SUBJECT_LIMITS.decisionsPerTurn; decisions++) {
      const subject = this.#nextSubject();
      if (subject === null) {
        this.#setTimer();
        if (this.isIdle) this.#rest.ring();
        return;
      }
      this.#decideSafely(subject);
    }
    this.#schedule();
  }

  /** Changed subjects come first, so that a long sweep delays none of them. */
  #nextSubject(): S | null {
    const { size, failed: failing } = this.#tasks;
    const isFull = size >= SUBJECT_LIMITS.tasks;
    const changed = this.#changed.take(isFull);
    if (changed !== null) return changed;
    if (isFull || size - failing.size >= SUBJECT_LIMITS.window) return null;
    const swept = this.#sweepSafely();
    this.#isSwept = swept === null;
    return swept;
  }

  #sweepSafely(): S | null {
    try {
      return this.#parts.sweep();
    } catch (error) {
      this.#parts.log.error({ error }, "sweep for due tasks failed");
      this.#sweepLater();
      return null;
    }
  }

  #decideSafely(subject: S): void {
    const id = this.#parts.idOf(subject);
    try {
      const tasks = this.#parts.decide(subject);
      this.#forgetAllBut(new Set(tasks.map(({ key }) => key)), id);
      for (const task of tasks)
        this.#consider(this.#tasks.find(task.key) ?? this.#begin(subject, id, task), task);
    } catch (error) {
      this.#parts.log.error({ subject: id, error }, "decision on a subject failed");
      this.#forgetAllBut(new Set(), id);
      this.#sweepLater();
    }
  }

  #forgetAllBut(wanted: ReadonlySet<string>, subjectId: string): void {
    for (const tracked of this.#tasks.listOf(subjectId)) {
      if (wanted.has(tracked.task.key) || tracked.isInFlight) continue;
      // A lost race: the attempt was refused, and the work is done.
      if (tracked.isUnclear) this.tally.of(tracked.task.automation).lost++;
      this.#tasks.forget(tracked, this.#now());
    }
  }

  /** A sweep finds forgotten tasks again. */
  #sweepLater(): void {
    this.#sweepAgainAt = Math.min(this.#sweepAgainAt, this.#now() + SUBJECT_RETRY.longestMilliseconds);
  }

  #begin(subject: S, subjectId: string, task: T): TrackedTask<S, T> {
    const rank = task.takes === "each" ? 0 : Math.max(this.#parts.rank(task) - task.takes + 1, 0);
    return this.#tasks.begin({ subject, subjectId, task, rank }, this.#now());
  }

  /** The present wait of each rank. It may change while a task waits for its turn. */
  #rankMilliseconds(): number {
    const [oldest] = this.#sending.keys();
    return this.#rankWait.milliseconds(oldest === undefined ? 0 : this.#now() - oldest.sentAt);
  }

  #consider(tracked: TrackedTask<S, T>, task: T): void {
    tracked.task = task;
    if (tracked.isUnclear) {
      tracked.isUnclear = false;
      this.tally.of(task.automation).failed++;
    }
    const now = this.#now();
    if (tracked.isInFlight || this.#tasks.turnOf(tracked, this.#rankMilliseconds()) > now) return;
    if (this.#sending.size >= SUBJECT_LIMITS.inFlight) return;
    this.#tasks.send(tracked, now);
    const sending = this.#send(tracked).finally(() => {
      this.#sending.delete(tracked);
      if (this.#tasks.find(task.key) === tracked) this.changed(tracked.subject);
      this.#wakeReady();
    });
    this.#sending.set(tracked, sending);
  }

  async #send(tracked: TrackedTask<S, T>): Promise<void> {
    const outcome = await this.#perform(tracked);
    const { automation, takes } = tracked.task;
    const { metrics } = this.#parts;
    const attempt = { outcome, milliseconds: this.#now() - tracked.sentAt, isShared: takes !== "each" };
    metrics?.countAttempt(automation, attempt);
    this.tally.count(automation, outcome, this.#parts.ledgerTime());
    if (outcome.kind !== "failed" || !this.#isRunning) {
      this.#tasks.forget(tracked, this.#now());
      return;
    }
    const failures = this.#tasks.fail(tracked, outcome, this.#now());
    metrics?.countFailure(automation, failures < STUCK_FAILURES ? "transient" : "fatal");
    const fields = { task: tracked.task.key, failures, reason: outcome.reason };
    if (failures === STUCK_FAILURES) this.#parts.log.warn(fields, "task is stuck: it keeps failing");
    else this.#parts.log.debug(fields, "task failed; it is retried if it is still to be done");
    if (this.#tasks.failed.size <= SUBJECT_LIMITS.failing) return;
    this.tally.of(automation).failed++;
    this.#tasks.forget(tracked, this.#now());
    this.#sweepLater();
  }

  async #perform(tracked: TrackedTask<S, T>): Promise<SubjectOutcome> {
    try {
      const outcome = await this.#parts.perform(tracked.task);
      this.#rankWait.learn(this.#now() - tracked.sentAt);
      return outcome;
    } catch (error) {
      return failed(error instanceof Error ? error.message : "it failed without a reason");
    }
  }

  /** Marks subjects whose tasks can be sent now as changed, as far as there is room, and goes on. */
  #wakeReady(): void {
    const now = this.#now();
    const room = SUBJECT_LIMITS.inFlight - this.#sending.size;
    for (const { subject } of this.#tasks.listReady(now, this.#rankMilliseconds(), room))
      this.changed(subject);
    if (this.#sweepAgainAt <= now) {
      this.#sweepAgainAt = Number.POSITIVE_INFINITY;
      this.#parts.restartSweep();
    }
    this.wake();
  }

  #setTimer(): void {
    const now = this.#now();
    // A turn that has come since the decision needs the timer as well. Without room an answer wakes the runner.
    const hasRoom = this.#sending.size < SUBJECT_LIMITS.inFlight;
    const turn = this.#tasks.nextTurn(hasRoom ? Number.NEGATIVE_INFINITY : now, this.#rankMilliseconds());
    const next = Math.min(this.#sweepAgainAt, turn);
    if (next === Number.POSITIVE_INFINITY || next >= this.#timerAt) return;
    this.#clearTimer();
    this.#timerAt = next;
    this.#timer = this.#parts.host.timers.set(
      () => {
        this.#clearTimer();
        this.#wakeReady();
      },
      Math.max(next - now, 0),
    );
  }

  #clearTimer(): void {
    this.#parts.host.timers.clear(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #now(): number {
    return this.#parts.host.clock.elapsedMilliseconds();
  }
}
