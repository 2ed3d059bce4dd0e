/**
 * Rows of one table by their key, for a writer that works in batches. Changes of a batch stay in memory and are
 * written at its end, each row once: a row that is set and removed within a batch never reaches the disk. Recently read
 * or written rows are cached.
 */
export interface RowAccess<T> {
  readonly read: (key: string) => T | undefined;
  readonly write: (key: string, row: T) => void;
  readonly remove?: (key: string) => void;
  /** The size of the cache of rows that outlives a batch. */
  readonly remembered: number;
}

export class KeyedRows<T extends object | bigint> {
  readonly #access: RowAccess<T>;
  /** Null marks a row that was removed. */
  readonly #changed = new Map<string, T | null>();
  readonly #remembered = new Map<string, T>();

  constructor(access: RowAccess<T>) {
    this.#access = access;
  }

  find(key: string): T | undefined {
    const changed = this.#changed.get(key);
    if (changed !== undefined) return changed ?? undefined;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const row = this.#access.read(key);
    if (row !== undefined) this.#remember(key, row);
    return row;
  }

  set(key: string, row: T): void {
    this.#changed.set(key, row);
  }

  /** A key is not used again once it is removed, and a row set since the last save is new. */
  remove(key: string): void {
    if (!this.#changed.delete(key)) this.#changed.set(key, null);
  }

  /** Writes the changes, in the caller's transaction. Stops behind one when the time is over; false if some are left. */
  save(isOver: () => boolean = never): boolean {
    for (const [key, row] of this.#changed) {
      if (row === null) {
        this.#access.remove?.(key);
        this.#remembered.delete(key);
      } else {
        this.#access.write(key, row);
        this.#remember(key, row);
      }
      this.#changed.delete(key);
      if (isOver()) break;
    }
    return this.#changed.size === 0;
  }

  /** Drops changes and cache: the table alone counts. */
  reload(): void {
    this.#changed.clear();
    this.#remembered.clear();
  }

  #remember(key: string, row: T): void {
    if (this.#access.remembered === 0) return;
    if (this.#remembered.size >= this.#access.remembered) this.#remembered.clear();
    this.#remembered.set(key, row);
  }
}

function never(): boolean {
  return false;
}
