/**
 * Keeps at what is to be done about each subject until it is done, by whomever. A look at a subject says which tasks
 * it has now; a task that is gone needs nothing more. One's own tasks are sent at once, shared ones in the order of
 * ranks, so that usually one SV sends. What is refused is looked at again after a growing, bounded while.
 *
 * Bounded: how many tasks are under way, how many wait for their turn, how many that fail are remembered.
 */
import type { Time } from "@callsign/ledger";
import type { Log } from "@callsign/node";
import { type Subject, subjectId } from "../agenda/subject.ts";
import { type Attempt, Attempts, LAST_RETRY_MILLISECONDS, STUCK_FAILURES, turnOf } from "./attempts.ts";
import type { AutomationWait, StuckTask } from "./automation-status.ts";
import { RankWait } from "./rank-wait.ts";
import type { Refused } from "./submitter.ts";
import { Tally } from "./tally.ts";
import { type Automation, EACH, type Task } from "./task.ts";
import { Touched } from "./touched.ts";

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
  /** The record time of the last applied entry. */
  readonly now: () => Time;
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
  readonly stuck: readonly StuckTask[];
}

/** What there is of one automation at present: the first few of what waits and of what is stuck. */
export interface UnderWay {
  inFlight: number;
  waiting: number;
  readonly waits: AutomationWait[];
  readonly stuck: StuckTask[];
}

const MAX_IN_FLIGHT = 16;
/** How many tasks may be under way or wait for their turn before the sweep pauses. */
const WINDOW = 128;
const MAX_ATTEMPTS = 5000;
const MAX_FAILING = 1000;
const LOOKS_A_TURN = 100;
/** How many are named of those that wait or are stuck; all of them are counted. */
const SHOWN = 20;

export class TaskRunner {
  readonly #parts: RunnerParts;
  readonly #touched = new Touched();
  readonly #attempts = new Attempts();
  readonly #rankWait = new RankWait();
  /** The oldest first. */
  readonly #sending = new Map<Attempt, Promise<void>>();
  readonly tally = new Tally();
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
    const id = subjectId(subject);
    // More than can be remembered: what waits and what is due is found again in the tables.
    if (!this.#touched.add(id, subject, this.#attempts.hasSubject(id))) this.#parts.sweepAgain();
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
    return this.#sending.size === 0 && this.#attempts.size === this.#attempts.stuck;
  }

  status(): RunnerStatus {
    const stuck = [...this.#attempts.all()].filter(({ failures }) => failures >= STUCK_FAILURES);
    return {
      inFlight: this.#sending.size,
      waiting: this.#attempts.size - this.#sending.size,
      accepted: this.tally.total("done"),
      lost: this.tally.total("lost"),
      failed: this.tally.total("failed"),
      stuck: stuck.slice(0, SHOWN).map(stuckTask),
    };
  }

  /** By automation, those alone that have something under way. */
  underWay(): ReadonlyMap<Automation, UnderWay> {
    const found = new Map<Automation, UnderWay>();
    for (const attempt of this.#attempts.all()) {
      const { task, inFlight, failures, reason } = attempt;
      let its = found.get(task.automation);
      if (its === undefined) {
        its = { inFlight: 0, waiting: 0, waits: [], stuck: [] };
        found.set(task.automation, its);
      }
      if (inFlight) its.inFlight++;
      else its.waiting++;
      const wait = failures > 0 ? ({ for: "another try", reason } as const) : TURN;
      if (!inFlight && its.waits.length < SHOWN) its.waits.push({ task: task.key, ...wait });
      if (failures >= STUCK_FAILURES && its.stuck.length < SHOWN) its.stuck.push(stuckTask(attempt));
    }
    return found;
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
    const touched = this.#touched.take(isFull);
    if (touched !== null) return touched;
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
      if (attempt.unclear) this.tally.of(attempt.task.automation).lost++;
      this.#attempts.forget(attempt, this.#parts.clock());
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
      this.tally.of(task.automation).failed++;
    }
    const now = this.#parts.clock();
    if (attempt.inFlight || turnOf(attempt, this.#rankMilliseconds()) > now) return;
    if (this.#sending.size >= MAX_IN_FLIGHT) return;
    this.#attempts.send(attempt, now);
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
    const counts = this.tally.of(attempt.task.automation);
    if (refused === null) {
      counts.done++;
      counts.lastDoneAt = this.#parts.now();
    }
    if (refused === null || !this.#running) {
      this.#attempts.forget(attempt, this.#parts.clock());
      return;
    }
    this.#attempts.fail(attempt, refused, this.#parts.clock());
    const fields = { task: attempt.task.key, failures: attempt.failures, reason: refused };
    if (attempt.failures === STUCK_FAILURES) this.#parts.log.warn(fields, "a task fails again and again");
    else this.#parts.log.debug(fields, "a submission was refused");
    if (this.#attempts.failing <= MAX_FAILING) return;
    // Too many to remember.
    counts.failed++;
    this.#attempts.forget(attempt, this.#parts.clock());
    this.#sweepLater();
  }

  /** Touches what can be sent now, as far as there is room, and goes on. */
  #wakeReady(): void {
    const now = this.#parts.clock();
    const room = MAX_IN_FLIGHT - this.#sending.size;
    for (const { subject } of this.#attempts.listReady(now, this.#rankMilliseconds(), room))
      this.touch(subject);
    if (this.#sweepAgainAt <= now) {
      this.#sweepAgainAt = Number.POSITIVE_INFINITY;
      this.#parts.sweepAgain();
    }
    this.wake();
  }

  #armTimer(): void {
    const now = this.#parts.clock();
    // What has become ready since it was looked at needs the timer as well; without room it is woken by an answer.
    const hasRoom = this.#sending.size < MAX_IN_FLIGHT;
    const turn = this.#attempts.nextTurn(now, this.#rankMilliseconds(), hasRoom);
    const next = Math.min(this.#sweepAgainAt, turn);
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

const TURN = { for: "turn", reason: null } as const;

function stuckTask({ task, failures, reason }: Attempt): StuckTask {
  return { task: task.key, failures, reason };
}
