/**
 * Items in lanes. In a lane the first in is the first whose time comes, so the next time is found at the heads of the
 * lanes, however many items wait behind them. A lane without items does not exist.
 */
export class Lanes<K, T> {
  readonly #lanes = new Map<K, Set<T>>();

  of(lane: K): Iterable<T> {
    return this.#lanes.get(lane) ?? [];
  }

  has(lane: K): boolean {
    return this.#lanes.has(lane);
  }

  add(lane: K, item: T): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) this.#lanes.set(lane, new Set([item]));
    else items.add(item);
  }

  remove(lane: K, item: T): void {
    const items = this.#lanes.get(lane);
    items?.delete(item);
    if (items?.size === 0) this.#lanes.delete(lane);
  }

  /** At most so many items whose time has come. */
  listReady(timeOf: (item: T) => number, now: number, limit: number): readonly T[] {
    const ready: T[] = [];
    for (const items of this.#lanes.values()) {
      for (const item of items) {
        if (ready.length >= limit || timeOf(item) > now) break;
        ready.push(item);
      }
    }
    return ready;
  }

  /** The first time after that one at which an item's time comes; infinity if there is none. */
  nextTime(timeOf: (item: T) => number, after: number): number {
    const heads = [...this.#lanes.values()].flatMap(([head]) => (head === undefined ? [] : [timeOf(head)]));
    return Math.min(...heads.filter((time) => time > after));
  }
}
