/**
 * The last items of the ledger. Callers who wait for an item, and its submitter, find it here as soon as it is stored. An item
 * never changes.
 */
import { BoundedMap, type SqlRow } from "@callsign/node";
import { MAX_RECENT_BODY, MAX_RECENT_ITEMS } from "../limits/limits.ts";
import { readItem, type StoredItem } from "./stored-item.ts";

export class RecentItems {
  readonly #items = new BoundedMap<number, StoredItem>({ limit: MAX_RECENT_ITEMS });

  find(offset: number): StoredItem | undefined {
    return this.#items.get(offset);
  }

  /** All items between two offsets, in order; null if one of them is not here. */
  findAll(beginExclusive: number, endInclusive: number): readonly StoredItem[] | null {
    if (endInclusive - beginExclusive > this.#items.size) return null;
    const items: StoredItem[] = [];
    for (let offset = beginExclusive + 1; offset <= endInclusive; offset++) {
      const item = this.#items.get(offset);
      if (item === undefined) return null;
      items.push(item);
    }
    return items;
  }

  /** Keeps an item at the end of the ledger, unless its body is long. */
  keep(item: StoredItem, body: string, end: number): void {
    const isShort = body.length <= MAX_RECENT_BODY;
    if (isShort && item.offset > end - MAX_RECENT_ITEMS) this.#items.set(item.offset, item);
  }

  /** The item of a row, which is kept as well. */
  read(row: SqlRow, body: string, end: number): StoredItem {
    const item = readItem(row, body);
    this.keep(item, body, end);
    return item;
  }

  clear(): void {
    this.#items.clear();
  }
}
