/**
 * Keeps at what is to be done about each subject until it is done, by whomever. A look at a subject says which tasks
 * it has now; a task that is gone needs nothing more. One's own tasks are sent at once, shared ones in the order of
 * ranks, so that usually one SV sends. What is refused is looked at again after a growing, bounded while.
 *
 * Bounded: how many tasks are under way, how many wait for their turn, how many that fail are remembered.
 */
import type { Log } from "../../observability/log.ts";
import { type Subject, subjectId } from "../agenda/subject.ts";
import { type Attempt, Attempts } from "./attempts.ts";
import { RankWait } from "./rank-wait.ts";
import type { Refused } from "./submitter.ts";
import { EACH, type Task } from "./task.ts";

export interface RunnerParts {
  /** What is to be done about the subject, by the ledger as it is now. */
  readonly look: (subject: Subject) => readonly Task[];
  /** The next subject that nobody has touched; null if there is none for now. */
  readonly sweep: () => Subject | null;
  /** Starts the sweep anew. */
  readonly sweepAgain: () => void;
  /** This SV's place in the order for a shared task. */
  readonly rank: (task: Task) => number;
  readonly send: (task: Task) => Promise<Refused>;
  readonly clock: () => number;
  readonly log: Log;
}

export interface RunnerStatus {
  /** Submissions under way. */
  readonly inFlight: number;
  /** Tasks that wait for their turn or for another try. */
  readonly waiting: number;
  readonly accepted: number;
  /** Refused because another had done the work. */
  readonly lost: number;
  /** Refused, or not heard of, though the work is still to be done. */
  readonly failed: number;
  /** Tasks that failed again and again, with the last reason. */
  readonly stuck: readonly { readonly task: string; readonly failures: number; readonly reason: string }[];
}

const MAX_IN_FLIGHT = 16;
/** How many tasks may be under way or wait for their turn before the sweep pauses. */
const WINDOW = 128;
const MAX_ATTEMPTS = 5000;
const MAX_FAILING = 1000;
const MAX_TOUCHED = 50_000;
const LOOKS_A_TURN = 100;
const FIRST_RETRY_MILLISECONDS = 100;
const LAST_RETRY_MILLISECONDS = 60_000;
/** From here on a task is called stuck, and nobody waits for it. */
const STUCK_FAILURES = 4;
const STUCK_SHOWN = 20;

export class TaskRunner {
  readonly #parts: RunnerParts;
  readonly #touched = new Map<string, Subject>();
  readonly #attempts = new Attempts();
  readonly #rankWait = new RankWait();
  /** The oldest first. */
  readonly #sending = new Map<Attempt, Promise<void>>();
  readonly #counts = { accepted: 0, lost: 0, failed: 0 };
  #scheduled = false;
  #running = false;
  #swept = false;
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #sweepAgainAt = Number.POSITIVE_INFINITY;
  #idlers: (() => void)[] = [];

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  /** Nothing is sent any more; what is under way is waited for. */
  async stop(): Promise<void> {
    this.#running = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerAt = Number.POSITIVE_INFINITY;
    await Promise.allSettled(this.#sending.values());
    this.#answerIdlers();
  }

  /** The subject has changed; takes effect with the next `wake`. */
  touch(subject: Subject): void {
    if (this.#touched.size < MAX_TOUCHED) this.#touched.set(subjectId(subject), subject);
    // More than can be remembered: what waits and what is due is found again in the tables.
    else this.#parts.sweepAgain();
  }

  /** Time has passed or something was touched. */
  wake(): void {
    this.#swept = false;
    this.#schedule();
  }

  /** Resolves when nothing is to be done that could be done. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#running || this.isIdle) resolve();
      else this.#idlers.push(resolve);
    });
  }

  get isIdle(): boolean {
    if (this.#scheduled || this.#touched.size > 0 || !this.#swept) return false;
    for (const { inFlight, failures } of this.#attempts.all())
      if (inFlight || failures < STUCK_FAILURES) return false;
    return true;
  }

  status(): RunnerStatus {
    const stuck = [...this.#attempts.all()].filter(({ failures }) => failures >= STUCK_FAILURES);
    return {
      inFlight: this.#sending.size,
      waiting: this.#attempts.size - this.#sending.size,
      ...this.#counts,
      stuck: stuck
        .slice(0, STUCK_SHOWN)
        .map(({ task, failures, reason }) => ({ task: task.key, failures, reason })),
    };
  }

  #schedule(): void {
    if (this.#scheduled || !this.#running) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    if (!this.#running) return;
    for (let looks = 0; looks < LOOKS_A_TURN; looks++) {
      const subject = this.#nextSubject();
      if (subject === null) {
        this.#armTimer();
        if (this.isIdle) this.#answerIdlers();
        return;
      }
      this.#lookSafely(subject);
    }
    this.#schedule();
  }

  /** What was touched comes first, so that a long sweep delays nobody. */
  #nextSubject(): Subject | null {
    const isFull = this.#attempts.size >= MAX_ATTEMPTS;
    for (const [id, subject] of this.#touched) {
      if (isFull && !this.#attempts.hasSubject(id)) continue;
      this.#touched.delete(id);
      return subject;
    }
    if (isFull) return null;
    if (this.#attempts.size - this.#attempts.failing >= WINDOW) return null;
    const swept = this.#sweepSafely();
    this.#swept = swept === null;
    return swept;
  }

  #sweepSafely(): Subject | null {
    try {
      return this.#parts.sweep();
    } catch (error) {
      this.#parts.log.error({ error }, "what is to be done could not be read");
      this.#sweepLater();
      return null;
    }
  }

  #lookSafely(subject: Subject): void {
    try {
      this.#look(subject);
    } catch (error) {
      this.#parts.log.error({ subject: subjectId(subject), error }, "a decision could not be taken");
      this.#forgetAllBut(new Set(), subject);
      this.#sweepLater();
    }
  }

  #look(subject: Subject): void {
    const tasks = this.#parts.look(subject);
    this.#forgetAllBut(new Set(tasks.map(({ key }) => key)), subject);
    for (const task of tasks)
      this.#consider(this.#attempts.find(task.key) ?? this.#begin(subject, task), task);
  }

  #forgetAllBut(wanted: ReadonlySet<string>, subject: Subject): void {
    for (const attempt of this.#attempts.listOf(subject)) {
      if (wanted.has(attempt.task.key) || attempt.inFlight) continue;
      if (attempt.unclear) this.#counts.lost++;
      this.#attempts.forget(attempt);
    }
  }

  /** What is not remembered is found again by a sweep, later. */
  #sweepLater(): void {
    this.#sweepAgainAt = Math.min(this.#sweepAgainAt, this.#parts.clock() + LAST_RETRY_MILLISECONDS);
  }

  #begin(subject: Subject, task: Task): Attempt {
    const rank = task.enough === EACH ? 0 : Math.max(this.#parts.rank(task) - task.enough + 1, 0);
    return this.#attempts.begin(subject, task, { seenAt: this.#parts.clock(), rank });
  }

  /** How long each rank waits at present. It may change while an attempt waits for its turn. */
  #rankMilliseconds(): number {
    const [oldest] = this.#sending.keys();
    return this.#rankWait.milliseconds(oldest === undefined ? 0 : this.#parts.clock() - oldest.sentAt);
  }

  #consider(attempt: Attempt, task: Task): void {
    attempt.task = task;
    if (attempt.unclear) {
      attempt.unclear = false;
      this.#counts.failed++;
    }
    if (attempt.inFlight || turnOf(attempt, this.#rankMilliseconds()) > this.#parts.clock()) return;
    if (this.#sending.size >= MAX_IN_FLIGHT) return;
    attempt.inFlight = true;
    attempt.sentAt = this.#parts.clock();
    const sending = this.#send(attempt).finally(() => {
      this.#sending.delete(attempt);
      if (this.#attempts.find(attempt.task.key) === attempt) this.touch(attempt.subject);
      this.#wakeReady();
    });
    this.#sending.set(attempt, sending);
  }

  async #send(attempt: Attempt): Promise<void> {
    let refused: Refused;
    try {
      refused = await this.#parts.send(attempt.task);
      this.#rankWait.learn(this.#parts.clock() - attempt.sentAt);
    } catch (error) {
      refused = error instanceof Error ? error.message : "it failed without a reason";
    }
    attempt.inFlight = false;
    if (!this.#running) return;
    if (refused === null) {
      this.#counts.accepted++;
      this.#attempts.forget(attempt);
      return;
    }
    const now = this.#parts.clock();
    this.#attempts.fail(attempt, refused, now + retryAfter(attempt.failures));
    const fields = { task: attempt.task.key, failures: attempt.failures, reason: refused };
    if (attempt.failures === STUCK_FAILURES) this.#parts.log.warn(fields, "a task fails again and again");
    else this.#parts.log.debug(fields, "a submission was refused");
    if (this.#attempts.failing <= MAX_FAILING) return;
    // Too many to remember.
    this.#counts.failed++;
    this.#attempts.forget(attempt);
    this.#sweepLater();
  }

  /** Touches what can be sent now, as far as there is room, and goes on. */
  #wakeReady(): void {
    const now = this.#parts.clock();
    const wait = this.#rankMilliseconds();
    let room = MAX_IN_FLIGHT - this.#sending.size;
    for (const attempt of this.#attempts.all()) {
      if (room <= 0) break;
      if (attempt.inFlight || turnOf(attempt, wait) > now) continue;
      this.touch(attempt.subject);
      room--;
    }
    if (this.#sweepAgainAt <= now) {
      this.#sweepAgainAt = Number.POSITIVE_INFINITY;
      this.#parts.sweepAgain();
    }
    this.wake();
  }

  #armTimer(): void {
    const now = this.#parts.clock();
    const wait = this.#rankMilliseconds();
    const hasRoom = this.#sending.size < MAX_IN_FLIGHT;
    let next = this.#sweepAgainAt;
    for (const attempt of this.#attempts.all()) {
      const turn = turnOf(attempt, wait);
      // What has become ready since it was looked at needs the timer as well; without room it is woken by an answer.
      if (!attempt.inFlight && (hasRoom || turn > now)) next = Math.min(next, turn);
    }
    if (next === Number.POSITIVE_INFINITY || next >= this.#timerAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = next;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#timerAt = Number.POSITIVE_INFINITY;
        this.#wakeReady();
      },
      Math.max(next - now, 0),
    );
  }

  #answerIdlers(): void {
    const idlers = this.#idlers;
    this.#idlers = [];
    for (const resolve of idlers) resolve();
  }
}

function turnOf({ seenAt, rank, retryAt }: Attempt, rankMilliseconds: number): number {
  return Math.max(seenAt + rank * rankMilliseconds, retryAt);
}

/** After so many earlier failures. */
function retryAfter(failures: number): number {
  return Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, LAST_RETRY_MILLISECONDS);
}
