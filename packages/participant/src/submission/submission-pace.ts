/**
 * How many submissions the network ends at its present pace without anyone waiting long. While it is quick there is no bound;
 * once submissions take several times as long as they need, those that would only wait are better told so at once.
 */
import type { Clock } from "@callsign/node";
import {
  LEAST_SUBMISSIONS,
  LONG_SUBMISSION_MILLISECONDS,
  PACE_WINDOW_MILLISECONDS,
  PATIENCE_FACTOR,
} from "../limits/limits.ts";
import { RecentAverage } from "../network/recent-average.ts";

interface EndedSubmission {
  /** The submissions under way when it began, itself included. */
  readonly underWay: number;
  readonly milliseconds: number;
}

export class SubmissionPace {
  readonly #clock: Clock;
  readonly #milliseconds = new RecentAverage();
  readonly #underWay = new RecentAverage();
  /** The shortest times of this window and of the one before: what a submission takes with nothing in its way. */
  #quickest = { present: Number.POSITIVE_INFINITY, former: Number.POSITIVE_INFINITY };
  #windowEnd = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe({ underWay, milliseconds }: EndedSubmission): void {
    this.#milliseconds.observe(milliseconds);
    this.#underWay.observe(underWay);
    const now = this.#clock.elapsedMilliseconds();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + PACE_WINDOW_MILLISECONDS;
      this.#quickest = { present: milliseconds, former: this.#quickest.present };
    }
    this.#quickest.present = Math.min(this.#quickest.present, milliseconds);
  }

  /** The time that a submission has taken of late. */
  get milliseconds(): number {
    return this.#milliseconds.value;
  }

  /** The submissions that may be under way at once: those that are, by the time that they take, end in that time. */
  get room(): number {
    const { present, former } = this.#quickest;
    const long = Math.max(LONG_SUBMISSION_MILLISECONDS, Math.min(present, former) * PATIENCE_FACTOR);
    if (this.milliseconds <= long) return Number.POSITIVE_INFINITY;
    return Math.max(LEAST_SUBMISSIONS, Math.floor((this.#underWay.value / this.milliseconds) * long));
  }
}
