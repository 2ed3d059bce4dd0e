/** Reads fail from a loss until the owner has settled it: the owner may remember rows that are gone. */
import { StoreUnavailable } from "./store-errors.ts";

export class SettledLosses {
  /** Null if the owner settles none. */
  #settled: number | null = null;

  settle(losses: number): void {
    this.#settled = losses;
  }

  /** True once the owner has settled for the first time. */
  get isUsed(): boolean {
    return this.#settled !== null;
  }

  /** Throws if there were more losses than are settled. `loss` says what was lost, as a sentence without its end. */
  check(losses: number, loss: string): void {
    if (this.#settled !== null && losses > this.#settled)
      throw new StoreUnavailable(`${loss}: reads fail until the end of the stored rows is known again`);
  }
}
