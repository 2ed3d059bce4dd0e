/**
 * The time of a slice of a page. Entries that wait for consumers need a part of it, which is estimated by the entries before them.
 */
import type { Clock } from "@callsign/node";
import { COMMITTED_SLICE_MILLISECONDS, SLICE_MILLISECONDS } from "../limits/limits.ts";

export class SliceTime {
  readonly #clock: Clock;
  readonly #longest: number;
  #begun = 0;
  /** Of the last slices: what consumers needed for an entry. */
  #millisecondsPerEntry = 0;

  constructor(clock: Clock, sharedCommits: boolean) {
    this.#clock = clock;
    this.#longest = sharedCommits ? SLICE_MILLISECONDS : COMMITTED_SLICE_MILLISECONDS;
  }

  begin(): void {
    this.#begun = this.#clock.elapsedMilliseconds();
  }

  /** Since it began. */
  get milliseconds(): number {
    return this.#clock.elapsedMilliseconds() - this.#begun;
  }

  /** True if the rest of the time is needed for the waiting entries. */
  isOver(waiting: number): boolean {
    return this.milliseconds + waiting * this.#millisecondsPerEntry >= this.#longest;
  }

  /** Does the work for waiting entries. */
  finish(waiting: number, work: () => void): void {
    const before = this.milliseconds;
    work();
    if (waiting === 0) return;
    const taken = (this.milliseconds - before) / waiting;
    this.#millisecondsPerEntry = (this.#millisecondsPerEntry + taken) / 2;
  }
}
