/**
 * Runs one automation: looks for what is due when the ledger or its time moved on, does each owner's tasks one after
 * the other and several owners' at once, and waits for none longer than a bound. What fails is tried again after a
 * growing pause, or when coin arrives. What was done is seen on the ledger, so a restart or a second look does no harm.
 */
import type { WireAutomationStatus } from "@callsign/api";
import { formatInstant, type Time, timeFromMicros } from "@callsign/ledger";
import { type Log, Refusal } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { NotEnoughCoin } from "../ledger/ledger-refusal.ts";
import type { Advance } from "../store/contract-rows.ts";
import { withinDeadline } from "../waiting/deadline.ts";
import { pause } from "../waiting/pause.ts";
import type { Automation, Due } from "./automation.ts";
import { LeftTasks } from "./left-tasks.ts";
import { OwnerQueues } from "./owner-queues.ts";
import { WaitingTasks } from "./waiting-tasks.ts";

export interface LoopParts {
  readonly clock: LedgerClock;
  /** Whether nothing is missing in the copy of the ledger: what is not seen would be done again. */
  readonly isWhole: () => boolean;
  readonly log: Log;
}

const AT_ONCE = 4;
/** More than this is not queued at once; the rest is found when these are done. */
const MAX_QUEUED = 10_000;
/** A task that takes longer goes on, and its owner's next turn comes later. */
const TASK_MILLISECONDS = 10_000;
/** From here on a task is called stuck. */
const STUCK_FAILURES = 4;
const SHOWN = 20;
/** A look that took longer is followed by a rest of so many times as long: with much to do, doing it comes first. */
const LONG_LOOK_MILLISECONDS = 5;
const REST = 9;
const LONGEST_REST_MILLISECONDS = 1000;

export class AutomationLoop {
  readonly automation: Automation;
  readonly #parts: LoopParts;
  readonly #reactsTo: ReadonlySet<string>;
  readonly #waiting = new WaitingTasks();
  readonly #left = new LeftTasks();
  readonly #queues: OwnerQueues;
  readonly #counts = { done: 0, lost: 0, failed: 0 };
  #lastDoneAt: Time | null = null;
  #nextDueAt: bigint | null = null;
  readonly #closing = new AbortController();
  #restsUntil = 0;
  #isCut = false;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(automation: Automation, parts: LoopParts) {
    this.automation = automation;
    this.#parts = parts;
    this.#reactsTo = new Set(automation.reactsTo.map(({ entity }) => entity));
    this.#queues = new OwnerQueues((task, owner) => this.#perform(task, owner), automation.atOnce ?? AT_ONCE);
  }

  /** The ledger moved on. */
  advanced(advance: Advance): void {
    const { paid, touched } = advance;
    const isAsked = this.#left.advanced(advance);
    this.#waiting.coinArrived(paid);
    this.automation.paid?.(paid);
    const isTouched = [...touched].some((entity) => this.#reactsTo.has(entity));
    if (isTouched || isAsked || this.#isTime || (paid.size > 0 && this.#waiting.size > 0)) this.wake();
  }

  wake(): void {
    void this.#lookForDue();
  }

  /** Does what is due, and answers how much was done. */
  async look(): Promise<number> {
    const before = this.#counts.done;
    await this.#lookForDue();
    await this.#queues.idle();
    return this.#counts.done - before;
  }

  /** When time alone makes something due, on the ledger's clock, by the last look. */
  get nextDueAt(): bigint | null {
    return this.#nextDueAt;
  }

  /** Whether time has come for something, or for another try. */
  get isDue(): boolean {
    return this.#isTime || (this.nextTry ?? Number.POSITIVE_INFINITY) <= performance.now();
  }

  get #isTime(): boolean {
    return this.#nextDueAt !== null && this.#nextDueAt <= this.#parts.clock.now;
  }

  /** When something that failed is tried again, by the process's clock. */
  get nextTry(): number | undefined {
    return this.#waiting.nextDue();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#queues.clear();
    await this.#looking;
    this.#queues.clear();
    await this.#queues.idle();
  }

  status(): WireAutomationStatus {
    const failing = [...this.#waiting.all()];
    const [inFlight, queued] = [this.#queues.running, this.#queues.size];
    return {
      automation: this.automation.name,
      paused: false,
      ...this.#counts,
      in_flight: inFlight,
      waiting: queued + failing.length,
      waits: failing.slice(0, SHOWN).map(({ task, forCoin, reason }) => ({
        task,
        for: forCoin ? "coin" : "another try",
        reason,
      })),
      next_due_at: this.#nextDueAt === null ? null : formatInstant(timeFromMicros(this.#nextDueAt)),
      last_done_at: this.#lastDoneAt === null ? null : formatInstant(this.#lastDoneAt),
      stuck: failing
        .filter(({ failures }) => failures >= STUCK_FAILURES)
        .slice(0, SHOWN)
        .map(({ task, failures, reason }) => ({ task, failures, reason })),
    };
  }

  /** Queues what is due. Those who ask meanwhile get another look. */
  #lookForDue(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#again = true;
      return this.#looking;
    }
    const looking = this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
    this.#looking = looking;
    return looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    do {
      const rest = this.#restsUntil - performance.now();
      if (rest > 0) await pause(rest, this.#closing.signal);
      this.#again = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        const { name } = this.automation;
        if (!this.#isClosing)
          this.#parts.log.warn(
            { automation: name, error: describeError(error) },
            "what is due could not be read",
          );
      }
    } while (this.#again && !this.#isClosing);
  }

  async #lookOnce(): Promise<void> {
    const { clock, isWhole } = this.#parts;
    if (!isWhole()) return;
    const { now } = clock;
    const began = performance.now();
    const seen = new Set<string>();
    let queued = 0;
    let last: string | undefined = "";
    let isCut = false;
    while (last !== undefined && !isCut && !this.#isClosing) {
      const page: readonly Due[] = await this.automation.listDue(now, last);
      for (const { task, owner } of page) {
        seen.add(task);
        if (this.#left.has(task) || !this.#waiting.isDue(task, performance.now())) continue;
        this.#queues.add(owner, task);
        queued++;
      }
      last = page.at(-1)?.task;
      isCut = queued >= MAX_QUEUED;
    }
    this.#restAfter(performance.now() - began);
    if (this.#isClosing) return;
    if (isCut) return this.#lookWhenDone();
    this.#waiting.keepOnly(seen);
    this.#left.keepOnly(seen);
    this.#nextDueAt = await this.automation.nextDueAt(now);
  }

  #restAfter(milliseconds: number): void {
    if (milliseconds < LONG_LOOK_MILLISECONDS) return;
    this.#restsUntil = performance.now() + Math.min(REST * milliseconds, LONGEST_REST_MILLISECONDS);
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  #lookWhenDone(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    void this.#queues.idle().then(() => {
      this.#isCut = false;
      if (!this.#isClosing) this.wake();
    });
  }

  async #perform(task: string, owner: string): Promise<void> {
    try {
      await withinDeadline(this.#count(task, owner), TASK_MILLISECONDS);
    } catch (error) {
      if (error instanceof Refusal && error.rejection.status === 404) {
        this.#counts.lost++;
        return;
      }
      this.#counts.failed++;
      const forCoin = error instanceof NotEnoughCoin;
      const reason = describeError(error);
      const failures = this.#waiting.failed(task, { owner, now: performance.now(), forCoin, reason });
      if (!this.#isClosing) this.#tell({ automation: this.automation.name, task, failures, error: reason });
    }
  }

  /** Thousands of tasks may fail for months: each is told of when it fails for the first time, and when it is stuck. */
  #tell(failure: { readonly failures: number } & Readonly<Record<string, string | number>>): void {
    const { log } = this.#parts;
    const isNews = failure.failures === 1 || failure.failures === STUCK_FAILURES;
    if (isNews) log.warn(failure, "a task could not be done yet");
    else log.debug(failure, "a task could not be done again");
  }

  /** Counted when it has been done, whether or not somebody still waits. */
  async #count(task: string, owner: string): Promise<void> {
    if (!this.#parts.isWhole()) return;
    const { changes } = this.#left;
    if (!(await this.automation.perform(task))) {
      if (changes === this.#left.changes) this.#left.leave(task, owner);
      return;
    }
    this.#counts.done++;
    this.#lastDoneAt = this.#parts.clock.now;
    this.#waiting.succeeded(task);
    this.#parts.log.info({ automation: this.automation.name, task }, "done");
  }
}
