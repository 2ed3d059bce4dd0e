/** The seeded random generator of all tests (mulberry32): a seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 up to, but not including, the limit. The golden log was made with this remainder. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  bigBelow(limit: bigint): bigint {
    const bits = (BigInt(this.next()) << 32n) | BigInt(this.next());
    return (bits * limit) >> 64n;
  }

  chance(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  find<T>(candidates: readonly T[]): T | undefined {
    return candidates[this.below(candidates.length)];
  }

  pick<T>(candidates: readonly T[]): T {
    const found = this.find(candidates);
    if (found === undefined) throw new Error("there is nothing to pick from");
    return found;
  }

  /** A candidate, with a probability in proportion to its weight. */
  pickByWeight<T extends { readonly weight: number }>(candidates: readonly T[]): T {
    let left = this.below(candidates.reduce((total, { weight }) => total + weight, 0));
    const found = candidates.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (found === undefined) throw new Error("there is nothing to pick from");
    return found;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
    }
    return shuffled;
  }

  /** Some of them, in any order; possibly none. */
  some<T>(items: readonly T[]): T[] {
    return this.shuffle(items).slice(0, this.below(items.length + 1));
  }
}
