/**
 * The time of a slice of a page. Entries that wait for consumers take a part of it later: by the time that those before them took.
 */
import type { Clock } from "@callsign/node";
import { COMMITTED_SLICE_MILLISECONDS, SLICE_MILLISECONDS } from "../limits/limits.ts";

export class SliceTime {
  readonly #clock: Clock;
  readonly #longest: number;
  #begun = 0;
  /** Milliseconds that waiting entries took lately, each. */
  #each = 0;

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

  /** True if nothing is to be applied any more before the waiting entries have had their turn. */
  isOver(waiting: number): boolean {
    return this.milliseconds + waiting * this.#each >= this.#longest;
  }

  /** Does the work for waiting entries. */
  finish(waiting: number, work: () => void): void {
    const before = this.milliseconds;
    work();
    if (waiting > 0) this.#each = (this.#each + (this.milliseconds - before) / waiting) / 2;
  }
}
