/**
 * Events as the participant would tell them to readers for these parties alone. A request that names thousands of parties
 * is long: the validator reads what every hosted party sees, and leaves out what its wallets' parties do not.
 */
import type { CreatedEvent } from "@callsign/api";
import type { UpdatePage } from "./update-page.ts";

type Parties = ReadonlySet<string>;
type Event = UpdatePage["transactions"][number]["events"][number];

/** Without transactions of which the parties see nothing. */
export function onlyUpdatesSeenBy(parties: Parties, page: UpdatePage): UpdatePage {
  const transactions = page.transactions.flatMap((transaction) => {
    const events = transaction.events.flatMap((event) => findSeenEvent(parties, event) ?? []);
    return events.length === 0 ? [] : [{ ...transaction, events }];
  });
  return { ...page, transactions };
}

export function onlyContractsSeenBy(
  parties: Parties,
  created: readonly CreatedEvent[],
): readonly CreatedEvent[] {
  return created.flatMap((event) => findSeen(parties, event) ?? []);
}

function findSeenEvent(parties: Parties, event: Event): Event | undefined {
  if ("CreatedEvent" in event) {
    const CreatedEvent = findSeen(parties, event.CreatedEvent);
    return CreatedEvent && { CreatedEvent };
  }
  if ("ArchivedEvent" in event) {
    const ArchivedEvent = findSeen(parties, event.ArchivedEvent);
    return ArchivedEvent && { ArchivedEvent };
  }
  const ExercisedEvent = findSeen(parties, event.ExercisedEvent);
  return ExercisedEvent && { ExercisedEvent };
}

/** With the parties among its witnesses; undefined if there are none. */
export function findSeen<T extends { readonly witnessParties: readonly string[] }>(
  parties: Parties,
  event: T,
): T | undefined {
  const witnessParties = event.witnessParties.filter((party) => parties.has(party));
  return witnessParties.length === 0 ? undefined : { ...event, witnessParties };
}
