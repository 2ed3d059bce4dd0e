/**
 * How much longer each rank waits than the one before it. Whoever comes first must have had the time to do the work:
 * as long as answers take at present, a few times over, or a busy network would do everything twice.
 */

const LEAST_MILLISECONDS = 150;
const MOST_MILLISECONDS = 5000;
const ANSWERS = 3;
/** How much the newest answer counts in the mean. */
const NEWEST_SHARE = 0.2;

export class RankWait {
  #meanMilliseconds = 0;

  /** An answer took so long. */
  learn(milliseconds: number): void {
    this.#meanMilliseconds += NEWEST_SHARE * (milliseconds - this.#meanMilliseconds);
  }

  /** For each rank; the oldest question without an answer has waited so long already. */
  milliseconds(unansweredMilliseconds: number): number {
    const slow = ANSWERS * Math.max(this.#meanMilliseconds, unansweredMilliseconds);
    return Math.min(Math.max(LEAST_MILLISECONDS, slow), MOST_MILLISECONDS);
  }
}
