/**
 * Tasks that are listed as due and are not for this process to do: a name whose renewal is switched off, a request of
 * another wallet. There may be many, for months: each is tried again only after a contract of its owner has changed.
 */
import type { LedgerAdvance } from "./listed-automation.ts";

export class SkippedTasks {
  readonly #owners = new Map<string, string>();
  readonly #reconsiderAllOn: string;
  #changes = 0;

  /** Contracts of that entity make every skipped task worth another attempt. */
  constructor(reconsiderAllOn: string) {
    this.#reconsiderAllOn = reconsiderAllOn;
  }

  /** Grows with every change: an attempt that began before a change may end differently after it. */
  get changes(): number {
    return this.#changes;
  }

  has(task: string): boolean {
    return this.#owners.has(task);
  }

  add(task: string, owner: string): void {
    this.#owners.set(task, owner);
  }

  /** True if some of them are to be tried again. */
  advance({ owners, touched }: LedgerAdvance): boolean {
    this.#changes++;
    const before = this.#owners.size;
    if (touched.has(this.#reconsiderAllOn)) this.#owners.clear();
    else for (const [task, owner] of this.#owners) if (owners.has(owner)) this.#owners.delete(task);
    return this.#owners.size < before;
  }

  /** Forgets all other tasks. */
  keepOnly(tasks: ReadonlySet<string>): void {
    for (const task of this.#owners.keys()) if (!tasks.has(task)) this.#owners.delete(task);
  }
}
