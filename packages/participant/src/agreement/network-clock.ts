/**
 * What time it is on the network: the median of what the sequencers said, plus the time since. The machine's calendar
 * is never asked; its monotonic clock only counts how long ago something was heard.
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

  /** A sequencer that was caught lying is not believed until it is heard again. */
  forget(source: number): void {
    this.#heard[source] = null;
  }

  /**
   * Undefined until one was heard. What was heard just now counts alone, if enough did speak: a network's clock may
   * have been moved since the others did. Of an even number, the lower of the two in the middle.
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
