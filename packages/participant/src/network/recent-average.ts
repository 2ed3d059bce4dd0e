/** The average of what was seen of late: each value counts for less with every later one. */
import { USUAL_TIME_WEIGHT } from "../limits/limits.ts";

export class RecentAverage {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  observe(value: number): void {
    this.#value += (value - this.#value) * USUAL_TIME_WEIGHT;
  }
}
