/** A transaction in its older form, a tree: the ledger effects that the reader witnesses, by node. */
import type { Transaction, TransactionTree, TreeEvent, TreeUpdate } from "@callsign/api";
import type { StoredItem } from "../store/stored-item.ts";
import { formatVisibleTransaction } from "./format-transaction.ts";
import type { FormatUpdateParts, UpdateView } from "./format-update.ts";

/** Empty if nothing of it is the reader's. */
export function formatTreeUpdate(
  { catalogue, synchronizerId }: Pick<FormatUpdateParts, "catalogue" | "synchronizerId">,
  { transactions }: Pick<UpdateView, "transactions">,
  item: StoredItem,
): readonly TreeUpdate[] {
  if (transactions === null) return [];
  const view = { catalogue, synchronizerId: synchronizerId(), ...transactions };
  const transaction = formatVisibleTransaction(item, view);
  return transaction === null ? [] : [{ update: { TransactionTree: { value: treeOf(transaction) } } }];
}

export function treeOf(transaction: Transaction): TransactionTree {
  const { updateId, commandId, workflowId, effectiveAt, offset, events } = transaction;
  const eventsById: Record<string, TreeEvent> = {};
  for (const event of events) {
    // A tree shows archives as exercises.
    if ("CreatedEvent" in event) {
      eventsById[event.CreatedEvent.nodeId] = { CreatedTreeEvent: { value: event.CreatedEvent } };
    } else if ("ExercisedEvent" in event) {
      eventsById[event.ExercisedEvent.nodeId] = { ExercisedTreeEvent: { value: event.ExercisedEvent } };
    }
  }
  const { synchronizerId, traceContext, recordTime } = transaction;
  return {
    ...{ updateId, commandId, workflowId, effectiveAt, offset, eventsById },
    ...{ synchronizerId, traceContext, recordTime },
  };
}
