/**
 * Writes of one kind that share transactions. Those that arrive in one turn of the event loop, or while an earlier
 * transaction is being written, are committed at once: under load a commit costs more than the rows in it.
 */
import type { Timers } from "../host/host.ts";
import { nextTurn } from "../waiting/sleep.ts";
import type { Sql, Store } from "./store.ts";

export interface WriteBatchesParts<T> {
  readonly store: Store;
  readonly timers: Timers;
  /** Writes the items, in the order in which they arrived. If it fails, none is kept. */
  readonly write: (sql: Sql, items: readonly T[]) => Promise<void>;
  /** True for an item that need not be on disk when its commit returns. A transaction of such items alone is not synced. */
  readonly isRepeatable?: (item: T) => boolean;
}

interface Batch<T> {
  readonly items: T[];
  readonly written: Promise<void>;
}

export class WriteBatches<T> {
  readonly #parts: WriteBatchesParts<T>;
  /** The batch that still takes items. */
  #open: Batch<T> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: WriteBatchesParts<T>) {
    this.#parts = parts;
  }

  /** Resolves when the item's transaction is committed. Others may see its rows a little earlier. */
  add(item: T): Promise<void> {
    this.#open ??= this.#begin();
    this.#open.items.push(item);
    return this.#open.written;
  }

  #begin(): Batch<T> {
    const items: T[] = [];
    const written = this.#write(this.#last, items);
    this.#last = written.catch(() => undefined);
    return { items, written };
  }

  async #write(earlier: Promise<void>, items: readonly T[]): Promise<void> {
    const { store, timers, write, isRepeatable = () => false } = this.#parts;
    await earlier;
    await nextTurn(timers);
    this.#open = null;
    const repeatable = items.every(isRepeatable);
    await store.transaction((sql) => write(sql, items), { repeatable, seenBeforeSynced: true });
  }
}
