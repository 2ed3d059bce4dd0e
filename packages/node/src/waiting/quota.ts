/** Places by key, so many for each: one user or address leaves room for the others. */
export class Quota {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  isFull(key: string): boolean {
    return (this.#taken.get(key) ?? 0) >= this.#max;
  }

  /** The function that gives the place back, to be called once; null if the key has all of its places. */
  take(key: string): (() => void) | null {
    if (this.isFull(key)) return null;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return () => this.#giveBack(key);
  }

  #giveBack(key: string): void {
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
