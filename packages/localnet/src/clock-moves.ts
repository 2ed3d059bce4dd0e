/**
 * Moves of the network's clock. A move stops at every time at which an automation of an SV or a validator has something
 * due, and goes on when all of them have settled: names are renewed, and contracts expire, as if the time had passed.
 */
import { type Time, timeFromMicros } from "@callsign/ledger";
import { KeyedQueue } from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import type { Validator } from "@callsign/validator";
import { LONGEST_CLOCK_STEP, SHORTEST_CLOCK_STEP } from "./limits.ts";
import type { LocalnetAutomation } from "./paused-automations.ts";
import { findRunning } from "./settle-all.ts";

/**
 * Automations with something due in every round, or every hour: there are 144 rounds a day, and a move stops at them only
 * if it is told to. They act at each stop.
 */
const RECURRING: ReadonlySet<string> = new Set<LocalnetAutomation>([
  "advance-rounds",
  "replace-config-states",
  "summarize-rounds",
  "close-rounds",
  "expire-coupons",
  "archive-rounds",
  "receive-sv-rewards",
  "convert-activity-markers",
  "record-liveness",
  "collect-rewards",
  "report-activity",
  "update-license-metadata",
  "top-up-traffic",
  "expire-confirmations",
]);

export interface MoveOptions {
  /** Stops in every round as well: what is earned in a round is minted. */
  readonly everyRound?: boolean;
}

/** A move that is not done. */
export interface ClockMove {
  readonly from: Time;
  readonly to: Time;
  /** The reason why it ended before its time; null while it goes on. */
  readonly failure: string | null;
}

interface ClockParts {
  readonly svs: readonly SvNode[];
  readonly validators: () => readonly Pick<Validator, "automations">[];
  /** Resolves once no automation has anything to do. */
  readonly settle: () => Promise<void>;
}

export class ClockMoves {
  readonly #parts: ClockParts;
  readonly #queue = new KeyedQueue();
  #current: ClockMove | null = null;
  #isClosed = false;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  /** The move under way, or the last one if it failed; null if there is none. */
  get current(): ClockMove | null {
    return this.#current;
  }

  /** Moves queue: one is made at a time. Resolves with the time at its end. */
  readonly move = (microseconds: bigint, options: MoveOptions = {}): Promise<Time> =>
    this.#queue.run("clock", async () => {
      const from = findRunning(this.#parts.svs).now();
      const move = { from, to: timeFromMicros(from + microseconds), failure: null };
      this.#current = move;
      try {
        const time = await this.#move(microseconds, options);
        this.#current = null;
        return time;
      } catch (error) {
        this.#current = { ...move, failure: error instanceof Error ? error.message : "it failed" };
        throw error;
      }
    });

  /** A move under way ends at its next stop. */
  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #move(microseconds: bigint, { everyRound = false }: MoveOptions): Promise<Time> {
    const { svs, settle } = this.#parts;
    this.#checkOpen();
    // Contracts that are on their way now must not be jumped over.
    await settle();
    const stops = new ClockStops(this.#parts, everyRound);
    for (let left = microseconds; left > 0n; ) {
      this.#checkOpen();
      const step = stops.next(left);
      await findRunning(svs).moveClock(step);
      await settle();
      left -= step;
    }
    return findRunning(svs).now();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error("the network is closed, or a snapshot is being restored");
  }
}

/** Finds the stops of one move. */
class ClockStops {
  readonly #parts: ClockParts;
  readonly #everyRound: boolean;
  #isFirst = true;

  constructor(parts: ClockParts, everyRound: boolean) {
    this.#parts = parts;
    this.#everyRound = everyRound;
  }

  /**
   * The microseconds up to the next stop, and no more than are left. The first stop is exact. Later ones are at least an
   * hour apart, so that what is due about the same time takes one stop.
   */
  next(left: bigint): bigint {
    const now = findRunning(this.#parts.svs).now();
    const due = this.#listDue().filter((time) => time > now);
    let step = due.reduce((least, time) => (time - now < least ? time - now : least), LONGEST_CLOCK_STEP);
    if (!this.#isFirst && !this.#everyRound && step < SHORTEST_CLOCK_STEP) step = SHORTEST_CLOCK_STEP;
    this.#isFirst = false;
    return step < left ? step : left;
  }

  #listDue(): readonly bigint[] {
    const { svs, validators } = this.#parts;
    const statuses = [
      // The SVs' agendas are alike.
      ...findRunning(svs).automation.status().automations,
      ...validators().flatMap((validator) => validator.automations()),
    ];
    return statuses.flatMap(({ automation, nextDueAt }) =>
      nextDueAt === null || (!this.#everyRound && RECURRING.has(automation)) ? [] : [nextDueAt],
    );
  }
}
