/**
 * How long something has taken of late. Whoever asks again sooner than that adds to the load of a network that is slow because
 * it has too much to do.
 */
import { PATIENCE_FACTOR, USUAL_TIME_WEIGHT } from "../limits/limits.ts";

export class UsualTime {
  #milliseconds = 0;

  observe(milliseconds: number): void {
    this.#milliseconds += (milliseconds - this.#milliseconds) * USUAL_TIME_WEIGHT;
  }

  /** Several times as long as usual, within these bounds. */
  patience({ least, most }: { readonly least: number; readonly most: number }): number {
    return Math.min(most, Math.max(least, this.#milliseconds * PATIENCE_FACTOR));
  }
}
