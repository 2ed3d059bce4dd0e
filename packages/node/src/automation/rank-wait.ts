/**
 * The extra wait of each rank. The SV that comes first must have had the time to do the work: as long as answers take
 * at present, a few times over, or a busy network would do everything twice.
 */
import { RANK_WAIT } from "./limits.ts";

export class RankWait {
  #meanMilliseconds = 0;

  /** An answer took so long. */
  learn(milliseconds: number): void {
    this.#meanMilliseconds += RANK_WAIT.newestShare * (milliseconds - this.#meanMilliseconds);
  }

  /** For each rank; the oldest request without an answer has waited so long already. */
  milliseconds(unansweredMilliseconds: number): number {
    const slow = RANK_WAIT.answers * Math.max(this.#meanMilliseconds, unansweredMilliseconds);
    return Math.min(Math.max(RANK_WAIT.leastMilliseconds, slow), RANK_WAIT.mostMilliseconds);
  }
}
