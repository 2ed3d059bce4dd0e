/** A page of updates as rows of the history: pure, from the updates and the facts of those before. */
import type { ArchivedEvent, CreatedEvent, ExercisedEvent, Transaction } from "@callsign/api";
import { parseTime, SubscriptionRequest } from "@callsign/ledger";
import { dateOf, deriveItems, eventIdOf, type HistoryItem, type HistoryTerms } from "./derive-items.ts";
import { deriveTracked, type TrackedOutcome } from "./derive-tracked.ts";
import { isOf } from "./event-values.ts";
import { deriveFundCouponEndings, type FundCouponEnding } from "./fund-coupons.ts";
import { isKept, type KnownFacts, learn, noFacts } from "./known-contracts.ts";
import { deriveNameRequestChanges, type NameRequestChange } from "./name-requests.ts";

interface Place {
  readonly updateId: string;
  readonly recordTime: bigint;
  readonly offset: number;
}

export interface HistoryPage {
  readonly items: readonly (HistoryItem & Place & { readonly party: string })[];
  readonly tracked: readonly (TrackedOutcome & Place)[];
  /** The facts that later updates need. */
  readonly learned: KnownFacts;
  /** Ids of contracts that are known no longer. */
  readonly forgotten: ReadonlySet<string>;
  readonly fundCouponEndings: readonly FundCouponEnding[];
  readonly nameRequestChanges: readonly NameRequestChange[];
}

export interface PageTerms extends HistoryTerms {
  readonly parties: ReadonlySet<string>;
  /** An update that cannot be understood is an item of its own. */
  readonly onFailure: (error: unknown, update: Transaction) => void;
}

/** Ids of contracts that these updates use, whose facts may be known. */
export function listUsed(updates: readonly Transaction[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { events } of updates) {
    for (const event of events) {
      for (const content of Object.values<CreatedEvent | ArchivedEvent | ExercisedEvent>(event))
        if (isKept(content) || isOf(content, SubscriptionRequest)) used.add(content.contractId);
    }
  }
  return used;
}

export function derivePage(
  updates: readonly Transaction[],
  before: KnownFacts,
  { onFailure, ...terms }: PageTerms,
): HistoryPage {
  const { parties, dso } = terms;
  const known = { ...noFacts(), contracts: new Map(before.contracts), names: new Map(before.names) };
  const learned = noFacts();
  const forgotten = new Set<string>();
  const items: (HistoryItem & Place & { readonly party: string })[] = [];
  const tracked: (TrackedOutcome & Place)[] = [];
  const nameRequestChanges: NameRequestChange[] = [];
  for (const update of updates) {
    const place = placeOf(update);
    for (const party of listWitnesses(update, parties)) {
      for (const item of deriveOrReport(update, party, { known, terms, onFailure }))
        items.push({ ...item, ...place, party });
    }
    for (const outcome of deriveTracked(update, parties, dso)) tracked.push({ ...outcome, ...place });
    nameRequestChanges.push(...deriveNameRequestChanges(update, known, terms));
    for (const event of update.events) {
      if ("CreatedEvent" in event) {
        learn(known, event.CreatedEvent, terms);
        learn(learned, event.CreatedEvent, terms);
        forgotten.delete(event.CreatedEvent.contractId);
      }
      if (!("ExercisedEvent" in event) || !event.ExercisedEvent.consuming) continue;
      const { contractId } = event.ExercisedEvent;
      if (known.contracts.delete(contractId)) forgotten.add(contractId);
      learned.contracts.delete(contractId);
    }
  }
  const fundCouponEndings = updates.flatMap(deriveFundCouponEndings);
  return { items, tracked, learned, forgotten, fundCouponEndings, nameRequestChanges };
}

function deriveOrReport(
  update: Transaction,
  party: string,
  {
    known,
    terms,
    onFailure,
  }: { readonly known: KnownFacts; readonly terms: HistoryTerms } & Pick<PageTerms, "onFailure">,
): readonly HistoryItem[] {
  try {
    return deriveItems(update, party, known, terms);
  } catch (error) {
    onFailure(error, update);
    const unknown = {
      template_id: "unknown",
      choice: "unknown",
      amulet_operation: null,
      interface_id: null,
    };
    return [
      {
        nodeId: 0,
        item: {
          transaction_type: "unknown",
          transaction_subtype: unknown,
          event_id: eventIdOf(update, 0),
          date: dateOf(update),
        },
      },
    ];
  }
}

function listWitnesses({ events }: Transaction, parties: ReadonlySet<string>): readonly string[] {
  const witnesses = new Set<string>();
  for (const event of events)
    for (const { witnessParties } of Object.values<CreatedEvent | ArchivedEvent | ExercisedEvent>(event))
      for (const each of witnessParties) witnesses.add(each);
  return [...witnesses].filter((each) => parties.has(each)).sort();
}

function placeOf({ updateId, recordTime, offset }: Transaction): Place {
  const time = parseTime(recordTime);
  if (!time.ok) throw new Error(time.error);
  return { updateId, recordTime: time.value, offset };
}
