/**
 * The times of a stream's checkpoints: soon after its start, so that the reader knows that it runs; after a while in which
 * only items passed that the reader may not see; and every minute at the latest.
 */
import type { CheckpointIntervals } from "../limits/limits.ts";

export class CheckpointPace {
  readonly #intervals: CheckpointIntervals;
  readonly #now: () => number;
  /** The time of the first checkpoint, until it was sent. */
  #firstAt: number | null;
  #checkpointAt: number;
  #spokenAt: number;
  #hasPassed = false;

  constructor(intervals: CheckpointIntervals, now: () => number) {
    this.#intervals = intervals;
    this.#now = now;
    this.#checkpointAt = now();
    this.#spokenAt = this.#checkpointAt;
    this.#firstAt = this.#checkpointAt + intervals.firstMilliseconds;
  }

  /** Call after each page; `hasItems`: the reader got an item of it. */
  read(hasItems: boolean): void {
    this.#hasPassed = !hasItems;
    if (hasItems) this.#spokenAt = this.#now();
  }

  tell(): void {
    this.#checkpointAt = this.#now();
    this.#spokenAt = this.#checkpointAt;
    this.#firstAt = null;
    this.#hasPassed = false;
  }

  /** Milliseconds until the next checkpoint; 0 if it is due. */
  get due(): number {
    const { passedMilliseconds, silentMilliseconds } = this.#intervals;
    const silent = this.#checkpointAt + silentMilliseconds;
    const passed = this.#hasPassed ? this.#spokenAt + passedMilliseconds : silent;
    return Math.max(0, (this.#firstAt ?? Math.min(passed, silent)) - this.#now());
  }
}
