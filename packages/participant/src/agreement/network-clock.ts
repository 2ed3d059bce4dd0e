/**
 * The network's time: the median of the sequencers' answers, plus the time since each. The machine's wall clock is never
 * read; its monotonic clock measures the age of an answer.
 */
import type { Time } from "@callsign/ledger";
import { CLOCK_READING_MILLISECONDS } from "../limits/limits.ts";

interface Heard {
  readonly now: Time;
  readonly at: number;
}

export class NetworkClock {
  readonly #heard: (Heard | null)[];
  /** Milliseconds, monotonic. */
  readonly #elapsed: () => number;

  constructor(sources: number, elapsed: () => number) {
    this.#heard = Array.from({ length: sources }, () => null);
    this.#elapsed = elapsed;
  }

  hear(source: number, now: Time): void {
    this.#heard[source] = { now, at: this.#elapsed() };
  }

  /** Drops the answer of a sequencer that was caught with a false item. */
  forget(source: number): void {
    this.#heard[source] = null;
  }

  /**
   * Undefined before the first answer. Fresh answers count alone if there are enough of them: the network's clock may
   * have been moved since the older ones. The median of an even number is the lower one in the middle.
   */
  now(enough: number): Time | undefined {
    const at = this.#elapsed();
    const heard = this.#heard.filter((each) => each !== null);
    const fresh = heard.filter((each) => at - each.at <= CLOCK_READING_MILLISECONDS);
    const estimates = (fresh.length >= enough ? fresh : heard)
      .map((each) => each.now + BigInt(Math.round((at - each.at) * 1000)))
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return estimates[Math.floor((estimates.length - 1) / 2)] as Time | undefined;
  }
}
