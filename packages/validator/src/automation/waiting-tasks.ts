/**
 * Tasks that failed, and when each is tried again: when coin arrives for its owner, or after a pause that doubles up to
 * a bound. Times are of the process's own clock, since a pause is not the network's business.
 */
const FIRST_PAUSE = 5000;
/** What failed for another reason than coin often succeeds a moment later. */
const FIRST_SHORT_PAUSE = 250;
const LONGEST_PAUSE = 10 * 60_000;

export interface FailedTask {
  readonly task: string;
  readonly owner: string;
  readonly forCoin: boolean;
  readonly failures: number;
  readonly reason: string;
}

interface Waiting extends FailedTask {
  readonly until: number;
  readonly pause: number;
}

export interface Failure {
  readonly owner: string;
  readonly now: number;
  readonly forCoin: boolean;
  readonly reason?: string;
}

export class WaitingTasks {
  readonly #waiting = new Map<string, Waiting>();

  get size(): number {
    return this.#waiting.size;
  }

  all(): Iterable<FailedTask> {
    return this.#waiting.values();
  }

  /** Whether that task may be tried at that time. */
  isDue(task: string, now: number): boolean {
    const waiting = this.#waiting.get(task);
    return waiting === undefined || waiting.until <= now;
  }

  /** Returns how often that task has failed by now. */
  failed(task: string, { owner, now, forCoin, reason = "" }: Failure): number {
    const before = this.#waiting.get(task);
    const first = forCoin ? FIRST_PAUSE : FIRST_SHORT_PAUSE;
    const pause = before?.forCoin === forCoin ? Math.min(2 * before.pause, LONGEST_PAUSE) : first;
    const failures = (before?.failures ?? 0) + 1;
    this.#waiting.set(task, { task, owner, until: now + pause, pause, forCoin, failures, reason });
    return failures;
  }

  succeeded(task: string): void {
    this.#waiting.delete(task);
  }

  /** What lacked coin of theirs is due again. */
  coinArrived(owners: ReadonlySet<string>): void {
    for (const [task, waiting] of this.#waiting) {
      if (waiting.forCoin && owners.has(waiting.owner)) this.#waiting.set(task, { ...waiting, until: 0 });
    }
  }

  /** Forgets all but these. */
  keepOnly(tasks: ReadonlySet<string>): void {
    for (const task of this.#waiting.keys()) if (!tasks.has(task)) this.#waiting.delete(task);
  }

  /** When the next one is due, if one waits. */
  nextDue(): number | undefined {
    let next: number | undefined;
    for (const { until } of this.#waiting.values()) if (next === undefined || until < next) next = until;
    return next;
  }
}
