/**
 * What an SV remembers of the tasks it has seen, until they are gone. Those that are not under way wait in lanes: one
 * for each rank, and one for each number of failures. In a lane the first in is the first whose turn comes, so that
 * whose turn is next is told by the lanes' heads, however many wait behind them.
 *
 * A task in which others come first is held back until everything this SV itself had to do before it has been
 * answered, and waits its while from then on. The others have as much to do, in the same order: where many tasks
 * come up at once, each SV works through its own instead of all of them through all.
 */
import { type Subject, subjectId } from "../agenda/subject.ts";
import type { Task } from "./task.ts";

export interface Attempt {
  task: Task;
  readonly subject: Subject;
  /** Its place among all tasks that were seen. */
  readonly place: number;
  /** How many SVs come before this one. */
  readonly rank: number;
  /** From when on it waits for those; null while it is held back. */
  waitsFrom: number | null;
  inFlight: boolean;
  sentAt: number;
  failures: number;
  /** After a refusal: when to try again. */
  retryAt: number;
  /** Why it was refused the last time. */
  reason: string;
  /** Whether it was refused, and not yet seen if the work is still to be done. */
  unclear: boolean;
}

/** From here on a task is called stuck, and nobody waits for it. */
export const STUCK_FAILURES = 4;
const FIRST_RETRY_MILLISECONDS = 100;
export const LAST_RETRY_MILLISECONDS = 60_000;

export class Attempts {
  readonly #byKey = new Map<string, Attempt>();
  readonly #bySubject = new Map<string, Set<string>>();
  readonly #lanes = new Map<string, Set<Attempt>>();
  /** This SV's own tasks that were not answered yet, the oldest first. */
  readonly #own = new Set<Attempt>();
  #seen = 0;
  #failing = 0;
  #stuck = 0;

  get size(): number {
    return this.#byKey.size;
  }

  /** How many of them have been refused before. */
  get failing(): number {
    return this.#failing;
  }

  get stuck(): number {
    return this.#stuck;
  }

  find(taskKey: string): Attempt | undefined {
    return this.#byKey.get(taskKey);
  }

  hasSubject(id: string): boolean {
    return this.#bySubject.has(id);
  }

  listOf(subject: Subject): readonly Attempt[] {
    const keys = this.#bySubject.get(subjectId(subject)) ?? [];
    return [...keys].flatMap((key) => this.#byKey.get(key) ?? []);
  }

  all(): IterableIterator<Attempt> {
    return this.#byKey.values();
  }

  /** At most so many of those whose turn has come by now. */
  listReady(now: number, rankMilliseconds: number, limit: number): readonly Attempt[] {
    const ready: Attempt[] = [];
    for (const lane of this.#lanes.values()) {
      for (const attempt of lane) {
        if (ready.length >= limit || turnOf(attempt, rankMilliseconds) > now) break;
        ready.push(attempt);
      }
    }
    return ready;
  }

  /** The first turn that comes after now, or that has come if that counts as well. */
  nextTurn(now: number, rankMilliseconds: number, mayHaveCome: boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const lane of this.#lanes.values()) {
      const [head] = lane;
      if (head === undefined) continue;
      const turn = turnOf(head, rankMilliseconds);
      if (mayHaveCome || turn > now) next = Math.min(next, turn);
    }
    return next;
  }

  begin(subject: Subject, task: Task, seen: { readonly seenAt: number; readonly rank: number }): Attempt {
    const { seenAt, rank } = seen;
    const fresh = { inFlight: false, sentAt: 0, failures: 0, retryAt: 0, reason: "", unclear: false };
    const waitsFrom = rank === 0 || this.#own.size === 0 ? seenAt : null;
    const attempt: Attempt = { task, subject, place: this.#seen++, rank, waitsFrom, ...fresh };
    this.#byKey.set(task.key, attempt);
    if (rank === 0) this.#own.add(attempt);
    addTo(this.#bySubject, subjectId(subject), task.key);
    addTo(this.#lanes, laneOf(attempt), attempt);
    return attempt;
  }

  send(attempt: Attempt, now: number): void {
    removeFrom(this.#lanes, laneOf(attempt), attempt);
    attempt.inFlight = true;
    attempt.sentAt = now;
  }

  /** It waits a growing, bounded while. */
  fail(attempt: Attempt, reason: string, now: number): void {
    const wait = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** attempt.failures, LAST_RETRY_MILLISECONDS);
    if (attempt.failures === 0) this.#failing++;
    attempt.failures++;
    if (attempt.failures === STUCK_FAILURES) this.#stuck++;
    attempt.inFlight = false;
    attempt.reason = reason;
    attempt.retryAt = now + wait;
    attempt.unclear = true;
    addTo(this.#lanes, laneOf(attempt), attempt);
    this.#release(attempt, now);
  }

  forget(attempt: Attempt, now: number): void {
    const { task, subject, failures } = attempt;
    if (!this.#byKey.delete(task.key)) return;
    if (failures > 0) this.#failing--;
    if (failures >= STUCK_FAILURES) this.#stuck--;
    removeFrom(this.#bySubject, subjectId(subject), task.key);
    removeFrom(this.#lanes, laneOf(attempt), attempt);
    this.#release(attempt, now);
  }

  /** One of the SV's own tasks is answered: what was held back for it alone waits for others from now on. */
  #release(answered: Attempt, now: number): void {
    if (!this.#own.delete(answered)) return;
    const [oldest] = this.#own;
    const until = oldest?.place ?? Number.POSITIVE_INFINITY;
    for (const held of this.#lanes.get(HELD) ?? []) {
      if (held.place > until) return;
      removeFrom(this.#lanes, HELD, held);
      held.waitsFrom = now;
      addTo(this.#lanes, laneOf(held), held);
    }
  }
}

/** What has been sent before has had its turn, and waits for another try alone. */
export function turnOf({ waitsFrom, rank, failures, retryAt }: Attempt, rankMilliseconds: number): number {
  if (failures > 0) return retryAt;
  return waitsFrom === null ? Number.POSITIVE_INFINITY : waitsFrom + rank * rankMilliseconds;
}

/** After so many failures the wait no longer grows, so that all of them share a lane. */
const LAST_LANE = 11;

const HELD = "held back";

function laneOf({ rank, failures, waitsFrom }: Attempt): string {
  if (failures === 0 && waitsFrom === null) return HELD;
  return failures > 0 ? `failures ${Math.min(failures, LAST_LANE)}` : `rank ${rank}`;
}

function addTo<V>(sets: Map<string, Set<V>>, key: string, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function removeFrom<V>(sets: Map<string, Set<V>>, key: string, value: V): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
