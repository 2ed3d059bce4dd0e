/** One item of the stream as a reader sees it: a transaction, a hosting change, both or nothing. */
import type { Update } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import type { StoredItem } from "../store/stored-item.ts";
import type { EventFilter } from "./event-filter.ts";
import { formatTopology } from "./format-topology.ts";
import { formatVisibleTransaction, type Shape } from "./format-transaction.ts";

/** The checked request of a reader of updates. */
export interface UpdateView {
  readonly transactions: { readonly filter: EventFilter; readonly shape: Shape } | null;
  readonly topology: { readonly parties: ReadonlySet<string> | null } | null;
  /** The parties whose transactions are wanted; null for every party. */
  readonly witnesses: readonly string[] | null;
}

export interface FormatUpdateParts {
  readonly catalogue: Catalogue;
  readonly participantId: string;
  readonly synchronizerId: () => string;
}

export function formatUpdate(
  parts: FormatUpdateParts,
  view: UpdateView,
  item: StoredItem,
): readonly Update[] {
  const { catalogue, participantId } = parts;
  const synchronizerId = parts.synchronizerId();
  const updates: Update[] = [];
  if (view.transactions !== null) {
    const transaction = formatVisibleTransaction(item, { catalogue, synchronizerId, ...view.transactions });
    if (transaction !== null) updates.push({ update: { Transaction: { value: transaction } } });
  }
  if (view.topology !== null) {
    const { parties } = view.topology;
    const topology = formatTopology(item, { synchronizerId, participantId, parties });
    if (topology !== null) updates.push({ update: { TopologyTransaction: { value: topology } } });
  }
  return updates;
}
