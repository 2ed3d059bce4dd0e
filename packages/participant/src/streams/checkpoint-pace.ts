/**
 * When the reader of a stream is told how far it has come: soon after its start, so that they know that it runs;
 * after a while when only what is not theirs has passed; and every minute at the latest.
 */
export interface CheckpointIntervals {
  readonly firstMilliseconds: number;
  /** When something passed that the reader did not get. */
  readonly passedMilliseconds: number;
  readonly silentMilliseconds: number;
}

export const CHECKPOINT_INTERVALS: CheckpointIntervals = {
  firstMilliseconds: 500,
  passedMilliseconds: 15_000,
  silentMilliseconds: 60_000,
};

export class CheckpointPace {
  readonly #intervals: CheckpointIntervals;
  readonly #now: () => number;
  /** The first one is due then, and none has been given. */
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

  /** A page was read: whether the reader got something of it. */
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

  /** In milliseconds; 0 if it is due. */
  get due(): number {
    const { passedMilliseconds, silentMilliseconds } = this.#intervals;
    const silent = this.#checkpointAt + silentMilliseconds;
    const passed = this.#hasPassed ? this.#spokenAt + passedMilliseconds : silent;
    return Math.max(0, (this.#firstAt ?? Math.min(passed, silent)) - this.#now());
  }
}
