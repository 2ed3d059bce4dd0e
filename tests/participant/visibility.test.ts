/**
 * Visibility of one payment, in every form of reading. Alice pays Bob: she is a witness of his new coin and has no
 * part in it, as he has none in what she had and keeps. Carol lives on the same participant and sees nothing.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Event, Transaction, TransactionTree, Update } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";
import { pay, tap } from "./coins.ts";
import { everythingOf } from "./preferences.ts";
import { openStream, transactionOf, treeOf } from "./stream-reader.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
const parties: Record<string, string> = {};
let begin: number;
let payment: Transaction;
let coinOfBob: string;

beforeAll(async () => {
  const network = await startSvNodes(1, atEnd);
  participant = await newParticipant(network.sequencers, {}, atEnd);
  await ready(participant);
  for (const name of ["alice", "bob", "carol"]) parties[name] = (await newActor(participant, name)).party;
  const rights = ["alice", "bob"].map((name) => ({
    kind: { CanActAs: { value: { party: partyOf(name) } } },
  }));
  await participant.admin.createUser({ body: { user: { id: "both" }, rights } });
  const coin = await tap(network, participant.as("alice"), partyOf("alice"));
  begin = (await participant.admin.getLedgerEnd()).offset;
  const given = { sender: partyOf("alice"), receiver: partyOf("bob"), coin, amount: "4.0" };
  payment = await pay(network, participant.as("both"), given);
  coinOfBob = createdFor("bob", payment.events);
});

function partyOf(name: string): string {
  return parties[name] ?? name;
}

function createdFor(name: string, events: readonly Event[]): string {
  const found = events.find((event) => "CreatedEvent" in event && ownerOf(event.CreatedEvent) === name);
  if (found === undefined || !("CreatedEvent" in found)) throw new Error(`${name} has no new coin`);
  return found.CreatedEvent.contractId;
}

function ownerOf({ createArgument }: { readonly createArgument: unknown }): string {
  return nameOf((createArgument as { readonly owner: string }).owner);
}

function nameOf(party: string): string {
  return Object.keys(parties).find((name) => parties[name] === party) ?? party;
}

interface Seen {
  readonly what: string;
  readonly witnesses: readonly string[];
}

/** An event's contract, its owner and its witnesses. */
function seenOf(events: readonly Event[]): readonly Seen[] {
  return events.map((event) => {
    const { witnessParties } = Object.values(event)[0] as { readonly witnessParties: readonly string[] };
    const what = "CreatedEvent" in event ? `created for ${ownerOf(event.CreatedEvent)}` : nameOfKind(event);
    return { what, witnesses: witnessParties.map(nameOf).sort() };
  });
}

function nameOfKind(event: Event): string {
  return "ExercisedEvent" in event ? event.ExercisedEvent.choice : "archived";
}

/** Of a tree, in the order of its nodes. */
function eventsOf({ eventsById }: TransactionTree): readonly Event[] {
  return Object.values(eventsById).map((event): Event => {
    if ("CreatedTreeEvent" in event) return { CreatedEvent: event.CreatedTreeEvent.value };
    return { ExercisedEvent: event.ExercisedTreeEvent.value };
  });
}

type Shape = "ACS_DELTA" | "LEDGER_EFFECTS";

/** For some parties, with everything. */
function eventFormatOf(names: readonly string[]) {
  const filters = names.map((name) => [partyOf(name), { cumulative: [] }]);
  return { filtersByParty: Object.fromEntries(filters), filtersForAnyParty: null, verbose: false };
}

function formatOf(names: readonly string[], shape: Shape) {
  return { eventFormat: eventFormatOf(names), transactionShape: `TRANSACTION_SHAPE_${shape}` as const };
}

function transactionsIn(updates: readonly Update[]): readonly Transaction[] {
  return updates.flatMap(({ update }) => ("Transaction" in update ? [update.Transaction.value] : []));
}

interface Asked {
  readonly client: LedgerClient;
  readonly user: string;
  readonly names: readonly string[];
}

type Form = (asked: Asked) => Promise<readonly Event[]>;

const range = () => ({ beginExclusive: begin, endInclusive: payment.offset });
/** No events for a reader that does not find the transaction. */
const found = (events: readonly Event[] | undefined) => events ?? [];

/** Lists and streams. */
function listsOf(shape: Shape): Readonly<Record<string, Form>> {
  return {
    updates: async ({ client, names }) => {
      const updateFormat = { includeTransactions: formatOf(names, shape) };
      return found(
        transactionsIn(await client.listUpdates({ body: { ...range(), updateFormat } }))[0]?.events,
      );
    },
    pages: async ({ client, names }) => {
      const updateFormat = { includeTransactions: formatOf(names, shape) };
      const body = { beginOffsetExclusive: begin, updateFormat };
      return found(transactionsIn((await client.getUpdatesPage({ body })).updates)[0]?.events);
    },
    "a stream": async ({ user, names }) => {
      const request = { ...range(), updateFormat: { includeTransactions: formatOf(names, shape) } };
      const reader = await openStream(`${participant.url}/v2/updates`, user, request);
      return found((await reader.rest()).flatMap((frame) => transactionOf(frame) ?? [])[0]?.events);
    },
  };
}

const forms: Readonly<Record<Shape, Readonly<Record<string, Form>>>> = {
  ACS_DELTA: {
    ...listsOf("ACS_DELTA"),
    flats: async ({ client, names }) => {
      const body = { ...range(), filter: eventFormatOf(names), verbose: true };
      return found(transactionsIn(await client.listFlatUpdates({ body }))[0]?.events);
    },
    "a stream of flats": async ({ user, names }) => {
      const request = { ...range(), filter: eventFormatOf(names), verbose: true };
      const reader = await openStream(`${participant.url}/v2/updates/flats`, user, request);
      return found((await reader.rest()).flatMap((frame) => transactionOf(frame) ?? [])[0]?.events);
    },
  },
  LEDGER_EFFECTS: {
    ...listsOf("LEDGER_EFFECTS"),
    trees: async ({ client, names }) => {
      const body = { ...range(), filter: eventFormatOf(names), verbose: true };
      const [first] = await client.listTransactionTrees({ body });
      const tree = treeOf(first ?? {});
      return tree === undefined ? [] : eventsOf(tree);
    },
    "a stream of trees": async ({ user, names }) => {
      const request = { ...range(), filter: eventFormatOf(names), verbose: true };
      const reader = await openStream(`${participant.url}/v2/updates/trees`, user, request);
      return (await reader.rest()).flatMap((frame) => treeOf(frame) ?? []).flatMap(eventsOf);
    },
  },
};

/** Lookups of one transaction, which fail for a reader that sees nothing of it. */
const lookups: Readonly<Record<Shape, Readonly<Record<string, Form>>>> = {
  ACS_DELTA: {
    ...lookupsOf("ACS_DELTA"),
    "transaction by id, for parties": async ({ client, names }) => {
      const body = { updateId: payment.updateId, requestingParties: names.map(partyOf) };
      return (await client.getTransactionById({ body })).transaction.events;
    },
    "transaction by offset, for parties": async ({ client, names }) => {
      const body = { offset: payment.offset, requestingParties: names.map(partyOf) };
      return (await client.getTransactionByOffset({ body })).transaction.events;
    },
  },
  LEDGER_EFFECTS: {
    ...lookupsOf("LEDGER_EFFECTS"),
    "tree by id": async ({ client, names }) => {
      const given = { params: { "update-id": payment.updateId }, query: { parties: names.map(partyOf) } };
      return eventsOf((await client.getTransactionTreeById(given)).transaction);
    },
    "tree by offset": async ({ client, names }) => {
      const given = { params: { offset: String(payment.offset) }, query: { parties: names.map(partyOf) } };
      return eventsOf((await client.getTransactionTreeByOffset(given)).transaction);
    },
  },
};

function lookupsOf(shape: Shape): Readonly<Record<string, Form>> {
  const eventsIn = (update: Update) => found(transactionsIn([update])[0]?.events);
  return {
    "update by id": async ({ client, names }) => {
      const updateFormat = { includeTransactions: formatOf(names, shape) };
      return eventsIn(await client.getUpdateById({ body: { updateId: payment.updateId, updateFormat } }));
    },
    "update by offset": async ({ client, names }) => {
      const updateFormat = { includeTransactions: formatOf(names, shape) };
      return eventsIn(await client.getUpdateByOffset({ body: { offset: payment.offset, updateFormat } }));
    },
    "transaction by id": async ({ client, names }) => {
      const body = { updateId: payment.updateId, transactionFormat: formatOf(names, shape) };
      return (await client.getTransactionById({ body })).transaction.events;
    },
    "transaction by offset": async ({ client, names }) => {
      const body = { offset: payment.offset, transactionFormat: formatOf(names, shape) };
      return (await client.getTransactionByOffset({ body })).transaction.events;
    },
  };
}

const asUser = (user: string, names: readonly string[] = [user]): Asked => ({
  client: participant.as(user),
  user,
  names,
});
const byWhat = (a: Seen, b: Seen) => (a.what < b.what ? -1 : 1);
const seenBy = async (form: Form, asked: Asked) => [...seenOf(await form(asked))].sort(byWhat);

describe.each(Object.entries({ ...forms.ACS_DELTA, ...lookups.ACS_DELTA }))(
  "creations and archivals: %s",
  (_, form) => {
    test("are shown to the parties that gain or lose a contract, and name no other witness", async () => {
      expect(await seenBy(form, asUser("alice"))).toEqual([
        { what: "archived", witnesses: ["alice"] },
        { what: "created for alice", witnesses: ["alice"] },
      ]);
      expect(await seenBy(form, asUser("bob"))).toEqual([{ what: "created for bob", witnesses: ["bob"] }]);
      expect(await seenBy(form, asUser("both", ["alice", "bob"]))).toEqual([
        { what: "archived", witnesses: ["alice"] },
        { what: "created for alice", witnesses: ["alice"] },
        { what: "created for bob", witnesses: ["bob"] },
      ]);
    });
  },
);

describe.each(Object.entries({ ...forms.LEDGER_EFFECTS, ...lookups.LEDGER_EFFECTS }))(
  "effects: %s",
  (_, form) => {
    test.each(["alice", "bob"])("are shown to %s, who acted, and name no other witness", async (name) => {
      expect(await seenBy(form, asUser(name))).toEqual([
        { what: "AmuletRules_Transfer", witnesses: [name] },
        { what: "Archive", witnesses: [name] },
        { what: "created for alice", witnesses: [name] },
        { what: "created for bob", witnesses: [name] },
      ]);
    });

    test("name both parties to a reader for both", async () => {
      for (const { witnesses } of await seenBy(form, asUser("both", ["alice", "bob"]))) {
        expect(witnesses).toEqual(["alice", "bob"]);
      }
    });
  },
);

describe("a party without a part in it", () => {
  test.each(Object.entries({ ...forms.ACS_DELTA, ...forms.LEDGER_EFFECTS }))(
    "gets nothing: %s",
    async (_, form) => {
      expect(await form(asUser("carol"))).toEqual([]);
    },
  );

  test.each(Object.entries({ ...lookups.ACS_DELTA, ...lookups.LEDGER_EFFECTS }))(
    "does not find it: %s",
    async (_, form) => {
      expect(await refusalOf(form(asUser("carol")))).toMatchObject({ status: 404, code: "UPDATE_NOT_FOUND" });
    },
  );
});

describe("a coin that was merely witnessed", () => {
  test("is none of the witness's contracts", async () => {
    const { client } = asUser("alice");
    const body = { activeAtOffset: payment.offset, eventFormat: everythingOf(partyOf("alice")) };
    const { activeContracts } = await client.getActiveContractsPage({ body });
    for (const listed of [await client.listActiveContracts({ body }), activeContracts]) {
      expect(listed).toHaveLength(1);
      expect(JSON.stringify(listed)).not.toContain(coinOfBob);
    }
  });

  test("is not looked up by the witness", async () => {
    const { client } = asUser("alice");
    const eventFormat = everythingOf(partyOf("alice"));
    expect(
      await refusalOf(client.getEventsByContractId({ body: { contractId: coinOfBob, eventFormat } })),
    ).toMatchObject({ status: 404, code: "CONTRACT_EVENTS_NOT_FOUND" });
    const queryingParties = [partyOf("alice")];
    expect(
      await refusalOf(client.getContract({ body: { contractId: coinOfBob, queryingParties } })),
    ).toMatchObject({ status: 404, code: "CONTRACT_PAYLOAD_NOT_FOUND" });
  });

  test("is shown to its owner, for the parties that the owner asks for", async () => {
    const { client, names } = asUser("both", ["alice", "bob"]);
    const eventFormat = eventFormatOf(names);
    const { created } = await client.getEventsByContractId({ body: { contractId: coinOfBob, eventFormat } });
    expect(created?.createdEvent.witnessParties).toEqual([partyOf("bob")]);
  });
});

describe("extras are shown for the parties whose filters ask for them", () => {
  /** Blobs for one of the two only. */
  function blobsFor(name: string) {
    const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
    const { filtersByParty } = eventFormatOf(["alice", "bob"]);
    return { filtersByParty: { ...filtersByParty, [partyOf(name)]: { cumulative: [wildcard] } } };
  }

  test.each(["alice", "bob"])(
    "blobs come with the contracts of %s, who asks for them, and with no others",
    async (name) => {
      const includeTransactions = {
        eventFormat: blobsFor(name),
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
      };
      const { client } = asUser("both");
      const updates = await client.listUpdates({
        body: { ...range(), updateFormat: { includeTransactions } },
      });
      const created = transactionsIn(updates).flatMap(({ events }) =>
        events.flatMap((event) => ("CreatedEvent" in event ? [event.CreatedEvent] : [])),
      );
      expect(created).toHaveLength(2);
      for (const event of created) expect(event.createdEventBlob !== "").toBe(ownerOf(event) === name);
    },
  );
});

describe("a party that the reader may not read for is refused among", () => {
  const parts = {
    "those of transactions": () => ({ includeTransactions: formatOf(["bob"], "ACS_DELTA") }),
    "those of reassignments": () => ({
      includeTransactions: formatOf(["alice"], "ACS_DELTA"),
      includeReassignments: eventFormatOf(["bob"]),
    }),
    "those of changes of hosting": () => ({
      includeTopologyEvents: {
        includeParticipantAuthorizationEvents: { parties: [partyOf("alice"), partyOf("bob")] },
      },
    }),
  };

  test.each(Object.entries(parts))("%s", async (_, make) => {
    const { client, user } = asUser("alice");
    const updateFormat = make();
    const { updateId, offset } = payment;
    for (const ask of [
      () => client.listUpdates({ body: { ...range(), updateFormat } }),
      () => client.getUpdatesPage({ body: { updateFormat } }),
      () => client.getUpdateById({ body: { updateId, updateFormat } }),
      () => client.getUpdateByOffset({ body: { offset, updateFormat } }),
    ]) {
      expect(await refusalOf(ask())).toMatchObject({ status: 403, code: "NA" });
    }
    const reader = await openStream(`${participant.url}/v2/updates`, user, { ...range(), updateFormat });
    expect(await reader.rest()).toMatchObject([{ code: "NA", grpcCodeValue: 7 }]);
  });
});
