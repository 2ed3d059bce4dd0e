/**
 * Readers of the ledger: the rows of a range, and their form for one caller. The lists and the streams of updates,
 * transaction trees and completions share them.
 */
import type { CompletionItem, TreeUpdate, Update } from "@callsign/api";
import { formatTreeUpdate } from "../events/format-transaction-tree.ts";
import { type FormatUpdateParts, formatUpdate, type UpdateView } from "../events/format-update.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import { listCompletions, type StoredCompletion } from "../store/list-completions.ts";
import { listItems } from "../store/list-items.ts";
import type { StoredItem } from "../store/stored-item.ts";
import type { OffsetPage } from "../store/walk-offsets.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type CompletionView, formatCompletion } from "./completion-view.ts";

export interface LedgerReader<Row extends { readonly offset: number }, Item> {
  /** Rows in order. Throws for a range that begins before the pruned offset. */
  readonly list: (page: OffsetPage) => Promise<readonly Row[]>;
  /** Empty for a row of which the caller sees nothing. */
  readonly format: (row: Row) => readonly Item[];
  readonly checkpoint: (value: Checkpoint) => Item;
}

export interface ReaderParts extends FormatUpdateParts {
  readonly ledger: LedgerStore;
}

export function updateReader(parts: ReaderParts, view: UpdateView): LedgerReader<StoredItem, Update> {
  const { witnesses, topology: hostings } = view;
  return {
    list: (page) => listItems(parts.ledger, { ...page, witnesses, hostings }),
    format: (item) => formatUpdate(parts, view, item),
    checkpoint: (value) => ({ update: { OffsetCheckpoint: { value } } }),
  };
}

export function treeReader(parts: ReaderParts, view: UpdateView): LedgerReader<StoredItem, TreeUpdate> {
  const { witnesses } = view;
  return {
    list: (page) => listItems(parts.ledger, { ...page, witnesses, hostings: null }),
    format: (item) => formatTreeUpdate(parts, view, item),
    checkpoint: (value) => ({ update: { OffsetCheckpoint: { value } } }),
  };
}

export function completionReader(
  { ledger, synchronizerId }: Pick<ReaderParts, "ledger" | "synchronizerId">,
  view: CompletionView,
): LedgerReader<StoredCompletion, CompletionItem> {
  return {
    list: (page) => listCompletions(ledger, { ...page, ...view }),
    format: (stored) => formatCompletion(stored, view, synchronizerId()),
    checkpoint: (value) => ({ completionResponse: { OffsetCheckpoint: { value } } }),
  };
}
