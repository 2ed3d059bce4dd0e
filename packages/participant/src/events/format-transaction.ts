/**
 * A transaction as its reader asked for it: contracts that the reader's parties gained and lost (ACS delta), or all events
 * that they witness (ledger effects). Null if none of its events is theirs.
 */
import type { Event, Transaction } from "@callsign/api";
import { type Catalogue, formatInstant, timeFromMicros } from "@callsign/ledger";
import type { StoredItem } from "../store/stored-item.ts";
import type { EventFilter } from "./event-filter.ts";
import {
  contractOf,
  formatArchived,
  formatCreated,
  formatExercised,
  listStakeholders,
} from "./format-events.ts";

export type Shape = "acs-delta" | "ledger-effects";

export interface TransactionView {
  readonly catalogue: Catalogue;
  readonly synchronizerId: string;
  readonly filter: EventFilter;
  readonly shape: Shape;
  /** A submitter gets the transaction even if the format selects none of its events. */
  readonly evenIfEmpty?: boolean;
}

export function formatVisibleTransaction(stored: StoredItem, view: TransactionView): Transaction | null {
  const { offset, workflowId, context, item } = stored;
  if (item.update === null) return null;
  const events = listEvents(stored, view);
  if (events.length === 0 && view.evenIfEmpty !== true) return null;
  const { completion } = item;
  const isSubmitters = completion !== null && view.filter.witnesses(completion.actAs).length > 0;
  return {
    updateId: item.update.updateId,
    commandId: isSubmitters ? completion.commandId : "",
    workflowId,
    effectiveAt: formatInstant(timeFromMicros(BigInt(item.update.ledgerTime))),
    events: [...events],
    offset,
    synchronizerId: view.synchronizerId,
    traceContext: isSubmitters ? context.trace : null,
    recordTime: formatInstant(timeFromMicros(BigInt(item.recordTime))),
    externalTransactionHash: null,
    paidTrafficCost: null,
  };
}

function listEvents({ offset, item }: StoredItem, view: TransactionView): readonly Event[] {
  const { catalogue, filter } = view;
  const isDelta = view.shape === "acs-delta";
  const events: Event[] = [];
  for (const event of item.update?.events ?? []) {
    const { contractId, templateId, nodeId } = event;
    const witnesses = filter.witnesses(isDelta ? listStakeholders(event) : event.witnesses);
    const extras = isDelta && !event.acsDelta ? undefined : filter.match(templateId, witnesses);
    if (extras === undefined) continue;
    if (event.kind === "created") {
      const facts = { ...event, contract: contractOf(event), offset, witnesses };
      events.push({ CreatedEvent: formatCreated(catalogue, facts, extras) });
    } else if (!isDelta) {
      events.push({ ExercisedEvent: formatExercised(catalogue, event, { offset, witnesses, extras }) });
    } else if (event.consuming) {
      const facts = { contractId, templateId, offset, nodeId, witnesses };
      events.push({ ArchivedEvent: formatArchived(catalogue, facts, extras) });
    }
  }
  return events;
}
