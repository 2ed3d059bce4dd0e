/**
 * Rows of one table by their key, for a writer that works in batches. What a batch sets or removes is kept in
 * memory and written at its end, each row once: what comes and goes within a batch never reaches the disk. Rows
 * read or written lately are remembered.
 */
export interface RowAccess<T> {
  readonly read: (key: string) => T | undefined;
  readonly write: (key: string, row: T) => void;
  readonly remove?: (key: string) => void;
  /** How many rows may be remembered after the batch that wrote or read them. */
  readonly remembered: number;
}

export class KeyedRows<T extends object | bigint> {
  readonly #access: RowAccess<T>;
  /** Null is a row of the table that is gone. */
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

  /** Writes what has changed, in the caller's transaction. */
  save(): void {
    for (const [key, row] of this.#changed) {
      if (row === null) {
        this.#access.remove?.(key);
        this.#remembered.delete(key);
      } else {
        this.#access.write(key, row);
        this.#remember(key, row);
      }
    }
    this.#changed.clear();
  }

  /** Back to what the table has. */
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
