/**
 * Remembers what follows from objects that were given lately. It keeps no object alive.
 *
 * Each map is short-lived. The garbage collector takes the values of a WeakMap in old memory for alive until its next full
 * collection, also where their keys are gone: with one map for all, every result would be moved to old memory.
 */

/** Entries of more than two pages of the log: replicas of one process that are given the same objects are not further apart. */
const RESULTS_IN_A_MAP = 128;

export class RecentResults<Given extends object, Result> {
  #latest = new WeakMap<Given, Result>();
  #earlier = new WeakMap<Given, Result>();
  #count = 0;

  /** Undefined if the object has not been seen, or not lately. */
  find(given: Given): Result | undefined {
    return this.#latest.get(given) ?? this.#earlier.get(given);
  }

  remember(given: Given, result: Result): void {
    if (this.#count === RESULTS_IN_A_MAP) {
      this.#earlier = this.#latest;
      this.#latest = new WeakMap();
      this.#count = 0;
    }
    this.#latest.set(given, result);
    this.#count++;
  }
}
