/**
 * Work for many owners: each owner's one after the other, several owners at once and in turn, so that a slow one
 * holds up nobody else. What is queued or under way is not queued again.
 */
export class OwnerQueues {
  readonly #work: (item: string, owner: string) => Promise<void>;
  readonly #atOnce: number;
  /** Owners whose turn comes, the next one first, with what is to be done for each. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Owners who have their turn, with what is done. */
  readonly #running = new Map<string, string>();
  readonly #idlers: (() => void)[] = [];

  /** The work does not reject. */
  constructor(work: (item: string, owner: string) => Promise<void>, atOnce: number) {
    this.#work = work;
    this.#atOnce = atOnce;
  }

  add(owner: string, item: string): void {
    if (this.#running.get(owner) === item) return;
    const items = this.#waiting.get(owner);
    if (items === undefined) this.#waiting.set(owner, new Set([item]));
    else items.add(item);
    this.#fill();
  }

  /** How much is under way. */
  get running(): number {
    return this.#running.size;
  }

  /** How much waits for its turn. */
  get size(): number {
    let size = 0;
    for (const items of this.#waiting.values()) size += items.size;
    return size;
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#waiting.clear();
  }

  /** When nothing waits or runs. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  #fill(): void {
    for (const [owner, items] of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      if (!this.#running.has(owner)) void this.#run(owner, items);
    }
  }

  async #run(owner: string, items: Set<string>): Promise<void> {
    const [item] = items;
    if (item === undefined) return;
    items.delete(item);
    this.#waiting.delete(owner);
    // Behind the others.
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
