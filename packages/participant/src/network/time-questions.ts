/**
 * Asks the sequencers what time it is. A network's clock may have been moved since they last spoke. One of them is
 * enough to say that it was not; where it says something else, or nothing, all are asked.
 */
import type { Time } from "@callsign/ledger";
import type { NetworkClock } from "../agreement/network-clock.ts";
import { Bell } from "../waiting/bell.ts";
import { needTime, type SequencerClient } from "./sequencer-client.ts";

/** How long a submission waits to hear what time it is. */
const CLOCK_PATIENCE_MILLISECONDS = 300;
/** Who follows hears at once when the clock is moved; this is for what got lost on the way. */
const CLOCK_FRESH_MILLISECONDS = 200;
const STEADY_PATIENCE_MILLISECONDS = 100;
/** A clock that differs by less was not moved. */
const STEADY_MICROSECONDS = 1_000_000n;

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
      const { now } = await client.getNetwork(AbortSignal.timeout(STEADY_PATIENCE_MILLISECONDS));
      const expected = this.#parts.estimate();
      if (expected === undefined) return false;
      const difference = needTime(now) - expected;
      return difference < STEADY_MICROSECONDS && difference > -STEADY_MICROSECONDS;
    } catch {
      return false;
    }
  }

  /** Until enough have answered, or the patience ends. */
  async #askAll(): Promise<void> {
    const { clock, signal, trusted } = this.#parts;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(CLOCK_PATIENCE_MILLISECONDS)]);
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
    await done.wait(CLOCK_PATIENCE_MILLISECONDS, patience);
  }
}
