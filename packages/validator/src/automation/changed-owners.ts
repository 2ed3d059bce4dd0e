/**
 * The owners whose tasks an automation has to look for: all at first, then owners of a contract that came or went. So a
 * validator with ten thousand wallets that rest does nothing for them.
 */
export class ChangedOwners {
  readonly #listAll: () => Promise<Iterable<string>>;
  readonly #changed = new Set<string>();
  #hasAll = false;

  constructor(listAll: () => Promise<Iterable<string>>) {
    this.#listAll = listAll;
  }

  add(owners: Iterable<string>): void {
    for (const owner of owners) this.#changed.add(owner);
  }

  /** Visits each changed owner once. An owner whose visit fails, or who changes meanwhile, is visited again the next time. */
  async visit(look: (owner: string) => Promise<void>): Promise<void> {
    if (!this.#hasAll) {
      this.add(await this.#listAll());
      this.#hasAll = true;
    }
    for (const owner of [...this.#changed]) {
      this.#changed.delete(owner);
      try {
        await look(owner);
      } catch (error) {
        this.#changed.add(owner);
        throw error;
      }
    }
  }
}

/** The changed owners that have a task, until they change again and have none. */
export class DueOwners {
  readonly #changed: ChangedOwners;
  readonly #isDue: (owner: string) => Promise<boolean>;
  readonly #due = new Set<string>();

  /** `listAll`: every owner that may have a task at the start. */
  constructor(listAll: () => Promise<Iterable<string>>, isDue: (owner: string) => Promise<boolean>) {
    this.#changed = new ChangedOwners(listAll);
    this.#isDue = isDue;
  }

  add(owners: Iterable<string>): void {
    this.#changed.add(owners);
  }

  async list(): Promise<readonly string[]> {
    await this.#changed.visit(async (owner) => {
      if (await this.#isDue(owner)) this.#due.add(owner);
      else this.#due.delete(owner);
    });
    return [...this.#due];
  }
}
