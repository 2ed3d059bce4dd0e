/**
 * Asks the sequencers what time it is. A network's clock may have been moved since they last spoke. One of them is
 * enough to say that it was not; where it says something else, or nothing, all are asked.
 */
import type { Time } from "@callsign/ledger";
import type { NetworkClock } from "../agreement/network-clock.ts";
import {
  CLOCK_ANSWER_MILLISECONDS,
  CLOCK_FRESH_MILLISECONDS,
  CLOCK_TOLERANCE_MICROSECONDS,
  FIRST_CLOCK_ANSWER_MILLISECONDS,
} from "../limits/limits.ts";
import { Bell } from "../waiting/bell.ts";
import { needTime, type SequencerClient } from "./sequencer-client.ts";

interface Parts {
  readonly clock: NetworkClock;
  /** Milliseconds, monotonic. */
  readonly elapsed: () => number;
  /** What the answers come to that were heard so far. */
  readonly estimate: () => Time | undefined;
  /** Who is asked first, and alone. */
  readonly first: () => SequencerClient | undefined;
  /** Who may be asked at all, each with its number. */
  readonly trusted: () => readonly (readonly [source: number, client: SequencerClient])[];
  /** How many answers there are to wait for. */
  readonly enough: () => number;
  readonly signal: AbortSignal;
}

export class TimeQuestions {
  readonly #parts: Parts;
  #asking: Promise<void> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The clock hears the answers, unless it did a moment ago. Callers at the same time share one question. */
  async ask(): Promise<void> {
    const { elapsed } = this.#parts;
    if (elapsed() - this.#askedAt <= CLOCK_FRESH_MILLISECONDS) return;
    this.#asking ??= this.#askAnew().finally(() => {
      this.#asking = null;
      this.#askedAt = elapsed();
    });
    await this.#asking;
  }

  /** When nothing is being asked any more. */
  async idle(): Promise<void> {
    await this.#asking;
  }

  async #askAnew(): Promise<void> {
    if (!(await this.#isSteady())) await this.#askAll();
  }

  async #isSteady(): Promise<boolean> {
    const client = this.#parts.first();
    if (client === undefined) return false;
    try {
      const { now } = await client.getNetwork(AbortSignal.timeout(FIRST_CLOCK_ANSWER_MILLISECONDS));
      const expected = this.#parts.estimate();
      if (expected === undefined) return false;
      const difference = needTime(now) - expected;
      return difference < CLOCK_TOLERANCE_MICROSECONDS && difference > -CLOCK_TOLERANCE_MICROSECONDS;
    } catch {
      return false;
    }
  }

  /** Until enough have answered, or the patience ends. */
  async #askAll(): Promise<void> {
    const { clock, signal, trusted } = this.#parts;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(CLOCK_ANSWER_MILLISECONDS)]);
    const enough = this.#parts.enough();
    let heard = 0;
    const done = new Bell();
    for (const [source, client] of trusted()) {
      client.getNetwork(patience).then(
        (state) => {
          clock.hear(source, needTime(state.now));
          if (++heard >= enough) done.ring();
        },
        () => undefined,
      );
    }
    await done.wait(CLOCK_ANSWER_MILLISECONDS, patience);
  }
}
