/**
 * Runs work for many owners: one owner's items one after the other, several owners at once and in turn, so that a slow
 * owner holds up nobody else. An item that waits or runs is not added again.
 */
export class OwnerLanes {
  readonly #work: (item: string, owner: string) => Promise<void>;
  readonly #ownersAtOnce: number;
  /** Owners whose turn comes, the next one first, with their items. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Owners being served, each with the item that runs. */
  readonly #running = new Map<string, string>();
  readonly #idlers: (() => void)[] = [];

  /** The work must not reject. */
  constructor(work: (item: string, owner: string) => Promise<void>, ownersAtOnce: number) {
    this.#work = work;
    this.#ownersAtOnce = ownersAtOnce;
  }

  add(owner: string, item: string): void {
    if (this.#running.get(owner) === item) return;
    const items = this.#waiting.get(owner);
    if (items === undefined) this.#waiting.set(owner, new Set([item]));
    else items.add(item);
    this.#fill();
  }

  get running(): number {
    return this.#running.size;
  }

  /** The number of items that wait for their turn. */
  get waiting(): number {
    let size = 0;
    for (const items of this.#waiting.values()) size += items.size;
    return size;
  }

  /** Forgets items that have not begun. */
  clear(): void {
    this.#waiting.clear();
  }

  /** Resolves when no item waits or runs. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  #fill(): void {
    for (const [owner, items] of this.#waiting) {
      if (this.#running.size >= this.#ownersAtOnce) return;
      if (!this.#running.has(owner)) void this.#run(owner, items);
    }
  }

  async #run(owner: string, items: Set<string>): Promise<void> {
    const [item] = items;
    if (item === undefined) return;
    items.delete(item);
    this.#waiting.delete(owner);
    // The owner's next item goes behind the other owners.
    if (items.size > 0) this.#waiting.set(owner, items);
    this.#running.set(owner, item);
    try {
      await this.#work(item, owner);
    } finally {
      this.#running.delete(owner);
      this.#fill();
      if (this.#running.size === 0) for (const resolve of this.#idlers.splice(0)) resolve();
    }
  }
}
