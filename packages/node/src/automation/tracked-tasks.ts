/**
 * Tasks of a subject runner from the decision that names them until the ledger shows them done. Tasks that have not
 * been sent wait in lanes, one for each rank. Tasks that failed wait with the `FailedTasks`.
 *
 * A task in which other SVs come first is held back until everything this SV itself had to do before it has been
 * answered; its wait begins then. The others have as much to do, in the same order: where many tasks come up at once,
 * each SV works through its own part instead of all of them through all.
 */
import { FailedTasks } from "./failed-tasks.ts";
import { Lanes } from "./lanes.ts";
import { SUBJECT_RETRY } from "./limits.ts";
import type { SharedTask } from "./shared-task.ts";
import type { TaskFailure } from "./task-outcome.ts";

export interface TrackedTask<S, T> {
  task: T;
  readonly subject: S;
  readonly subjectId: string;
  /** The task's place among all tasks that were seen. */
  readonly place: number;
  /** The number of SVs that come before this one. */
  readonly rank: number;
  /** The time from which it waits for those SVs; null while it is held back. */
  waitsFrom: number | null;
  isInFlight: boolean;
  sentAt: number;
  /** The last attempt failed, and no decision has shown yet that the work is still to be done. */
  isUnclear: boolean;
}

const HELD_BACK = -1;

export class TrackedTasks<S, T extends SharedTask> {
  readonly failed = new FailedTasks(SUBJECT_RETRY);
  readonly #byKey = new Map<string, TrackedTask<S, T>>();
  readonly #bySubject = new Lanes<string, TrackedTask<S, T>>();
  readonly #lanes = new Lanes<number, TrackedTask<S, T>>();
  /** This SV's own tasks without an answer, the oldest first. */
  readonly #own = new Set<TrackedTask<S, T>>();
  #seen = 0;

  get size(): number {
    return this.#byKey.size;
  }

  find(key: string): TrackedTask<S, T> | undefined {
    return this.#byKey.get(key);
  }

  hasSubject(id: string): boolean {
    return this.#bySubject.has(id);
  }

  listOf(subjectId: string): readonly TrackedTask<S, T>[] {
    return [...this.#bySubject.of(subjectId)];
  }

  all(): IterableIterator<TrackedTask<S, T>> {
    return this.#byKey.values();
  }

  /** At most so many tasks whose turn has come. */
  listReady(now: number, rankMilliseconds: number, limit: number): readonly TrackedTask<S, T>[] {
    const ready = this.#lanes.listReady((each) => this.turnOf(each, rankMilliseconds), now, limit);
    const retried = this.failed.listReady(now, limit - ready.length);
    return [...ready, ...retried.flatMap((key) => this.#byKey.get(key) ?? [])];
  }

  /** The first turn after that time. */
  nextTurn(after: number, rankMilliseconds: number): number {
    const turn = this.#lanes.nextTime((each) => this.turnOf(each, rankMilliseconds), after);
    return Math.min(turn, this.failed.nextRetryAt(after));
  }

  /** A task that was sent before has had its turn: it waits for its retry alone. */
  turnOf({ task, waitsFrom, rank }: TrackedTask<S, T>, rankMilliseconds: number): number {
    const retryAt = this.failed.find(task.key)?.retryAt;
    if (retryAt !== undefined) return retryAt;
    return waitsFrom === null ? Number.POSITIVE_INFINITY : waitsFrom + rank * rankMilliseconds;
  }

  begin(about: Pick<TrackedTask<S, T>, "subject" | "subjectId" | "task" | "rank">, now: number) {
    const waitsFrom = about.rank === 0 || this.#own.size === 0 ? now : null;
    const fresh = { waitsFrom, isInFlight: false, sentAt: 0, isUnclear: false };
    const tracked: TrackedTask<S, T> = { ...about, place: this.#seen++, ...fresh };
    this.#byKey.set(about.task.key, tracked);
    if (about.rank === 0) this.#own.add(tracked);
    this.#bySubject.add(about.subjectId, tracked);
    this.#lanes.add(laneOf(tracked), tracked);
    return tracked;
  }

  send(tracked: TrackedTask<S, T>, now: number): void {
    this.#lanes.remove(laneOf(tracked), tracked);
    this.failed.try(tracked.task.key);
    tracked.isInFlight = true;
    tracked.sentAt = now;
  }

  /** Returns the number of failures so far. */
  fail(tracked: TrackedTask<S, T>, failure: TaskFailure, now: number): number {
    tracked.isInFlight = false;
    tracked.isUnclear = true;
    const { failures } = this.failed.fail({ key: tracked.task.key, owner: "" }, failure, now);
    this.#answered(tracked, now);
    return failures;
  }

  forget(tracked: TrackedTask<S, T>, now: number): void {
    const { key } = tracked.task;
    if (!this.#byKey.delete(key)) return;
    this.failed.forget(key);
    this.#bySubject.remove(tracked.subjectId, tracked);
    this.#lanes.remove(laneOf(tracked), tracked);
    this.#answered(tracked, now);
  }

  /** One of the SV's own tasks is answered: tasks that were held back for it alone wait for other SVs from now on. */
  #answered(answered: TrackedTask<S, T>, now: number): void {
    if (!this.#own.delete(answered)) return;
    const [oldest] = this.#own;
    const until = oldest?.place ?? Number.POSITIVE_INFINITY;
    for (const held of this.#lanes.of(HELD_BACK)) {
      if (held.place > until) return;
      this.#lanes.remove(HELD_BACK, held);
      held.waitsFrom = now;
      this.#lanes.add(laneOf(held), held);
    }
  }
}

/** The rank, or the lane of tasks that are held back. */
function laneOf({ rank, waitsFrom }: { readonly rank: number; readonly waitsFrom: number | null }): number {
  return waitsFrom === null ? HELD_BACK : rank;
}
