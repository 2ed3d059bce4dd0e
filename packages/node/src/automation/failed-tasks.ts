/**
 * Tasks that failed or wait for something, each with its last reason and the time of its retry. The pause doubles up to
 * a limit. Tasks with equal pauses stand in one lane. Times are those of the process's own clock.
 */
import { backoffMilliseconds } from "../waiting/backoff.ts";
import { Lanes } from "./lanes.ts";
import { type RetryLimits, STUCK_FAILURES } from "./limits.ts";
import type { TaskDetails, TaskNotDone } from "./task-outcome.ts";

export interface FailedTask extends Pick<TaskNotDone, "reason" | "needs"> {
  readonly key: string;
  /** The need of the task comes to its owner. */
  readonly owner: string;
  /** Failures since the task last waited; 0 while it waits. */
  readonly failures: number;
  /** Null for a task that failed. */
  readonly details: TaskDetails | null;
  readonly retryAt: number;
  /** Attempts in a row that ended with the same need. */
  readonly inARow: number;
}

interface Entry extends FailedTask {
  /** The pause that the lane shares; 0 for tasks that may be retried at once. */
  readonly lane: number;
}

export class FailedTasks {
  readonly #limits: RetryLimits;
  readonly #byKey = new Map<string, Entry>();
  readonly #lanes = new Lanes<number, Entry>();
  #stuck = 0;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byKey.size;
  }

  get stuck(): number {
    return this.#stuck;
  }

  all(): Iterable<FailedTask> {
    return this.#byKey.values();
  }

  find(key: string): FailedTask | undefined {
    return this.#byKey.get(key);
  }

  /** True if the task has not failed, or its pause is over. */
  mayTry(key: string, now: number): boolean {
    return (this.#byKey.get(key)?.retryAt ?? now) <= now;
  }

  fail(task: Pick<FailedTask, "key" | "owner">, failure: TaskNotDone, now: number): FailedTask {
    const before = this.#byKey.get(task.key);
    const { reason, needs } = failure;
    const inARow = before?.needs === needs ? before.inARow + 1 : 1;
    const { firstMilliseconds: first, firstForNeedMilliseconds: firstForNeed = first } = this.#limits;
    const firstMilliseconds = needs === null ? first : firstForNeed;
    const lane = backoffMilliseconds(inARow - 1, { ...this.#limits, firstMilliseconds });
    const isWaiting = failure.kind === "waiting";
    const failures = isWaiting ? 0 : (before?.failures ?? 0) + 1;
    if (failures === STUCK_FAILURES) this.#stuck++;
    if (isWaiting && (before?.failures ?? 0) >= STUCK_FAILURES) this.#stuck--;
    const details = isWaiting ? failure.details : null;
    const entry = { ...task, reason, needs, details, inARow, failures, lane, retryAt: now + lane };
    this.#place(entry, before);
    return entry;
  }

  /** Takes the task out of its lane while it is being tried. */
  try(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry !== undefined) this.#lanes.remove(entry.lane, entry);
  }

  forget(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    this.#byKey.delete(key);
    this.#lanes.remove(entry.lane, entry);
    if (entry.failures >= STUCK_FAILURES) this.#stuck--;
  }

  /** Forgets all other tasks. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#byKey.keys()) if (!keys.has(key)) this.forget(key);
  }

  /** The owners received what some of their tasks need: those may be retried at once. */
  meetNeed(owners: ReadonlySet<string>): void {
    for (const entry of this.#byKey.values()) {
      if (entry.needs !== null && owners.has(entry.owner))
        this.#place({ ...entry, lane: 0, retryAt: 0 }, entry);
    }
  }

  /** At most so many keys of tasks whose pause is over. */
  listReady(now: number, limit: number): readonly string[] {
    return this.#lanes.listReady(retryTime, now, limit).map(({ key }) => key);
  }

  /** The time of the next retry after that time; infinity if there is none. */
  nextRetryAt(after = Number.NEGATIVE_INFINITY): number {
    return this.#lanes.nextTime(retryTime, after);
  }

  #place(entry: Entry, before: Entry | undefined): void {
    if (before !== undefined) this.#lanes.remove(before.lane, before);
    this.#byKey.set(entry.key, entry);
    this.#lanes.add(entry.lane, entry);
  }
}

function retryTime({ retryAt }: Entry): number {
  return retryAt;
}
