/**
 * How long something has taken of late. Whoever asks again sooner than that adds to the load of a network that is slow because
 * it has too much to do.
 */
import { PATIENCE_FACTOR } from "../limits/limits.ts";
import { RecentAverage } from "./recent-average.ts";

export class UsualTime {
  readonly #milliseconds = new RecentAverage();

  observe(milliseconds: number): void {
    this.#milliseconds.observe(milliseconds);
  }

  /** Several times as long as usual, within these bounds. */
  patience({ least, most }: { readonly least: number; readonly most: number }): number {
    return Math.min(most, Math.max(least, this.#milliseconds.value * PATIENCE_FACTOR));
  }
}
