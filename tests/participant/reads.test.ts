/** Reading: active contracts page by page and at past offsets, filters, updates, events of one contract. */
import { beforeAll, describe, expect, test } from "vitest";
import type { EventFormat } from "../../packages/api/src/index.ts";
import { Amulet, RenewalPreference } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  type Actor,
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";
import { AMULET, HOLDING, tap } from "./coins.ts";
import { createPreference, everythingOf, PREFERENCE, setPreference } from "./preferences.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let alice: Actor;
let bob: Actor;
let anyReader: LedgerClient;
let coin: string;
/** Alice's contracts, in the order of their creation. */
const created: string[] = [];

beforeAll(async () => {
  const network = await startSvNodes(1, atEnd);
  participant = await newParticipant(network.sequencers, {}, atEnd);
  await ready(participant);
  alice = await newActor(participant, "alice");
  bob = await newActor(participant, "bob");
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }];
  await participant.admin.createUser({ body: { user: { id: "any" }, rights } });
  anyReader = participant.as("any");
  for (let i = 0; i < 5; i++) created.push(await create(i === 2 ? bob.party : alice.party));
  coin = await tap(network, alice.client, alice.party);
  created.push(coin);
});

async function create(provider = alice.party): Promise<string> {
  const body = { commands: createPreference(alice.party, { provider }) };
  const { transaction } = await alice.client.submitAndWaitForTransaction({ body });
  const [event] = transaction.events;
  if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
  return event.CreatedEvent.contractId;
}

type AcsBody = Parameters<LedgerClient["listActiveContracts"]>[0]["body"];

async function active(client: LedgerClient, body: Partial<AcsBody>, limit: bigint | null = null) {
  const { offset } = await client.getLedgerEnd();
  const list = await client.listActiveContracts({
    query: limit === null ? {} : { limit },
    body: { activeAtOffset: offset, ...body },
  });
  return list.map(({ contractEntry, streamContinuationToken }) => {
    if (!("JsActiveContract" in contractEntry)) throw new Error("unexpected entry");
    return { ...contractEntry.JsActiveContract.createdEvent, streamContinuationToken };
  });
}

type IdentifierFilter = EventFormat["filtersByParty"][string]["cumulative"][number]["identifierFilter"];
const filterOf = (party: string, identifierFilter: object) => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: identifierFilter as IdentifierFilter }] } },
});
const template = (templateId: string, includeCreatedEventBlob = false) => ({
  TemplateFilter: { value: { templateId, includeCreatedEventBlob } },
});
const ids = (events: readonly { readonly contractId: string }[]) =>
  events.map(({ contractId }) => contractId);

describe("active contracts", () => {
  test("are listed in the order of their creation, for their stakeholders", async () => {
    expect(ids(await active(alice.client, { eventFormat: everythingOf(alice.party) }))).toEqual(created);
    const seen = await active(bob.client, { eventFormat: everythingOf(bob.party) });
    expect(ids(seen)).toEqual([created[2]]);
    expect(seen[0]?.witnessParties).toEqual([bob.party]);
  });

  test("of any party are listed for a user with that right", async () => {
    const format = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } };
    const seen = await active(anyReader, { eventFormat: format });
    expect(ids(seen)).toEqual(created);
    expect(seen[2]?.witnessParties).toEqual([alice.party, bob.party]);
    const only = { filtersForAnyParty: { cumulative: [{ identifierFilter: template(AMULET) }] } };
    expect(ids(await active(anyReader, { eventFormat: only }))).toEqual([coin]);
  });

  test("are listed page by page", async () => {
    const eventFormat = everythingOf(alice.party);
    const seen: string[] = [];
    let streamContinuationToken: string | undefined;
    for (let page = 0; page < 10; page++) {
      const token = streamContinuationToken === undefined ? {} : { streamContinuationToken };
      const events = await active(alice.client, { eventFormat, ...token }, 2n);
      if (events.length === 0) break;
      seen.push(...ids(events));
      streamContinuationToken = events.at(-1)?.streamContinuationToken;
    }
    expect(seen).toEqual(created);
    const [request] = Buffer.from(streamContinuationToken ?? "", "base64url")
      .toString()
      .split(".");
    for (const number of [2n ** 63n, 9_999_999_999_999_999_999n]) {
      const forged = Buffer.from(`${request}.${number}`).toString("base64url");
      const refused = await refusalOf(active(alice.client, { eventFormat, streamContinuationToken: forged }));
      expect(refused).toMatchObject({ status: 400, code: "INVALID_CONTINUATION_TOKEN" });
    }
    const other = await refusalOf(
      active(alice.client, {
        eventFormat: filterOf(alice.party, template(AMULET)),
        streamContinuationToken: streamContinuationToken ?? "",
      }),
    );
    expect(other).toMatchObject({ status: 400, code: "INVALID_CONTINUATION_TOKEN" });
  });

  test("of one template are listed, with blobs if asked for", async () => {
    const [event] = await active(alice.client, {
      eventFormat: filterOf(alice.party, template(AMULET, true)),
    });
    expect(event).toMatchObject({ contractId: coin, templateId: Amulet.id, interfaceViews: [] });
    expect(Buffer.from(event?.createdEventBlob ?? "", "base64").toString()).toContain(coin);
  });

  test("of an interface are listed, with their views", async () => {
    const filter = { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } };
    const events = await active(alice.client, { eventFormat: filterOf(alice.party, filter) });
    expect(ids(events)).toEqual([coin]);
    const [view] = events[0]?.interfaceViews ?? [];
    expect(view).toMatchObject({
      interfaceId: expect.stringMatching(/^[0-9a-f]{64}:Splice\.Api\.Token\.HoldingV1:Holding$/),
      viewStatus: { code: 0, message: "", details: [] },
      viewValue: { owner: alice.party, amount: "10.0000000000" },
      implementationPackageId: Amulet.package.id,
    });
  });

  test("are listed as of a past offset", async () => {
    const contractId = await create();
    const { offset: before } = await alice.client.getLedgerEnd();
    await alice.client.submitAndWait({ body: setPreference(alice.party, contractId) });
    const eventFormat = filterOf(alice.party, template(PREFERENCE));
    const then = ids(await active(alice.client, { eventFormat, activeAtOffset: before }));
    expect(then.at(-1)).toBe(contractId);
    const now = ids(await active(alice.client, { eventFormat }));
    expect(now).not.toContain(contractId);
    expect(now).toHaveLength(then.length);
    const format = { filtersForAnyParty: { cumulative: [] } };
    const any = await active(anyReader, { eventFormat: format, activeAtOffset: before });
    expect(ids(any).at(-1)).toBe(contractId);
    expect(await active(alice.client, { eventFormat, activeAtOffset: 0 })).toEqual([]);
  });

  test.each([
    [{ activeAtOffset: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ activeAtOffset: -1 }, "NEGATIVE_OFFSET"],
    [{ eventFormat: null }, "INVALID_ARGUMENT"],
    [{ filter: { filtersByParty: {} } }, "INVALID_ARGUMENT"],
    [{ verbose: true }, "INVALID_ARGUMENT"],
    [{ eventFormat: {} }, "INVALID_ARGUMENT"],
    [{ streamContinuationToken: "x" }, "INVALID_ARGUMENT"],
    [{ streamContinuationToken: "eHg=" }, "INVALID_CONTINUATION_TOKEN"],
  ])("are refused with %j", async (changed, code) => {
    const body = { eventFormat: everythingOf(alice.party), ...changed } as Partial<AcsBody>;
    expect(await refusalOf(active(alice.client, body))).toMatchObject({ status: 400, code });
  });

  test.each([
    [template(""), 400, "MISSING_FIELD"],
    [template(RenewalPreference.id), 400, "INVALID_FIELD"],
    [template("#nothing:M:E"), 404, "PACKAGE_NAMES_NOT_FOUND"],
    [template("#splice-amulet:M:E"), 404, "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME"],
    [template(HOLDING), 404, "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME"],
    [
      { InterfaceFilter: { value: { interfaceId: AMULET } } },
      404,
      "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    ],
    [template("a:b"), 400, "INVALID_ARGUMENT"],
  ])("are refused with the filter %j", async (filter, status, code) => {
    const refused = await refusalOf(active(alice.client, { eventFormat: filterOf(alice.party, filter) }));
    expect(refused).toMatchObject({ status, code });
  });
});

describe("updates", () => {
  type UpdatesBody = Parameters<LedgerClient["listUpdates"]>[0]["body"];
  const list = (body: UpdatesBody, query: { limit?: bigint; stream_idle_timeout_ms?: bigint } = {}) =>
    alice.client.listUpdates({ query, body });
  const formatOf = (party: string) => ({
    includeTransactions: {
      eventFormat: everythingOf(party),
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
    },
  });
  const offsetsOf = (updates: Awaited<ReturnType<typeof list>>) =>
    updates.flatMap(({ update }) => ("Transaction" in update ? [update.Transaction.value.offset] : []));

  test("end at the limit, in either order", async () => {
    const { offset: endInclusive } = await alice.client.getLedgerEnd();
    const updateFormat = formatOf(alice.party);
    const all = offsetsOf(await list({ beginExclusive: 0, endInclusive, updateFormat }));
    expect(all.length).toBeGreaterThan(5);
    const range = { beginExclusive: 0, endInclusive, updateFormat };
    expect(offsetsOf(await list(range, { limit: 2n }))).toEqual(all.slice(0, 2));
    const down = await list({ ...range, descendingOrder: true }, { limit: 3n });
    expect(offsetsOf(down)).toEqual(all.toReversed().slice(0, 3));
    expect(await list({ ...range, beginExclusive: endInclusive })).toEqual([]);
  });

  test("wait for the next one, and return it when it is stored", async () => {
    const { offset: beginExclusive } = await alice.client.getLedgerEnd();
    const waiting = list(
      { beginExclusive, updateFormat: formatOf(alice.party) },
      // Longer than the test may take: the list ends with the update, not with the wait.
      { limit: 1n, stream_idle_timeout_ms: 30_000n },
    );
    const { completionOffset } = await alice.client.submitAndWait({ body: createPreference(alice.party) });
    expect(offsetsOf(await waiting)).toEqual([completionOffset]);
  });

  test("end with a checkpoint when there is nothing for the caller", async () => {
    const { offset: beginExclusive } = await alice.client.getLedgerEnd();
    const idle = await bob.client.listUpdates({
      query: { stream_idle_timeout_ms: 5n },
      body: { beginExclusive, updateFormat: formatOf(bob.party) },
    });
    expect(idle).toMatchObject([{ update: { OffsetCheckpoint: { value: { offset: beginExclusive } } } }]);
    const waiting = bob.client.listUpdates({
      query: { stream_idle_timeout_ms: 20_000n },
      body: { beginExclusive, updateFormat: formatOf(bob.party) },
    });
    const { completionOffset } = await alice.client.submitAndWait({ body: createPreference(alice.party) });
    expect(await waiting).toMatchObject([
      { update: { OffsetCheckpoint: { value: { offset: completionOffset } } } },
    ]);
  });

  test("include newly hosted parties", async () => {
    const updates = await list({
      beginExclusive: 0,
      updateFormat: {
        includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [alice.party] } },
      },
    });
    expect(updates[0]).toMatchObject({
      update: {
        TopologyTransaction: {
          value: {
            events: [
              {
                event: {
                  ParticipantAuthorizationAdded: {
                    value: { partyId: alice.party, participantId: participant.participantId },
                  },
                },
              },
            ],
          },
        },
      },
    });
  });

  test.each([
    [{ beginExclusive: -1 }, "NEGATIVE_OFFSET"],
    [{ beginExclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ endInclusive: 0 }, "NON_POSITIVE_OFFSET"],
    [{ endInclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ beginExclusive: 2, endInclusive: 1 }, "OFFSET_OUT_OF_RANGE"],
    [{ descendingOrder: true }, "DESCENDING_ORDER_MISSING_END"],
    [{ updateFormat: null }, "INVALID_ARGUMENT"],
    [{ filter: { filtersByParty: {} } }, "INVALID_ARGUMENT"],
    [
      { updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } } },
      "MISSING_FIELD",
    ],
  ])("are refused with %j", async (changed, code) => {
    const body = { beginExclusive: 0, updateFormat: formatOf(alice.party), ...changed } as UpdatesBody;
    expect(await refusalOf(list(body))).toMatchObject({ status: 400, code });
  });
});

describe("the events of a contract", () => {
  const events = (client: LedgerClient, contractId: string, eventFormat: object | null) =>
    client.getEventsByContractId({ body: { contractId, eventFormat } as never });

  test("equal the events of the active contracts and of the archiving transaction", async () => {
    const contractId = await create();
    const active1 = (await active(alice.client, { eventFormat: everythingOf(alice.party) })).at(-1);
    const { streamContinuationToken: _, ...shown } = active1 ?? { streamContinuationToken: "" };
    const before = await events(alice.client, contractId, everythingOf(alice.party));
    expect(before.created?.createdEvent).toEqual(shown);
    expect(before.archived).toBeNull();
    const { transaction } = await alice.client.submitAndWaitForTransaction({
      body: { commands: setPreference(alice.party, contractId) },
    });
    const after = await events(alice.client, contractId, everythingOf(alice.party));
    expect(after.created).toEqual(before.created);
    expect(transaction.events).toContainEqual({ ArchivedEvent: after.archived?.archivedEvent });
    expect(after.archived?.synchronizerId).toBe(after.created?.synchronizerId);
  });

  test("of a contract created and archived in one transaction are both returned", async () => {
    const commands = createPreference(alice.party, {
      commands: [
        {
          CreateAndExerciseCommand: {
            templateId: PREFERENCE,
            createArguments: {
              ...((await active(alice.client, { eventFormat: everythingOf(alice.party) }))[0]
                ?.createArgument as object),
            },
            choice: "RenewalPreference_Remove",
            choiceArgument: {},
          },
        },
      ],
    });
    const { transaction } = await alice.client.submitAndWaitForTransaction({
      body: {
        commands,
        transactionFormat: {
          eventFormat: everythingOf(alice.party),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    });
    const [event] = transaction.events;
    if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
    const { contractId } = event.CreatedEvent;
    const any = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } };
    for (const [client, format] of [
      [alice.client, everythingOf(alice.party)],
      [anyReader, any],
    ] as const) {
      const both = await events(client, contractId, format);
      expect(both.created?.createdEvent).toMatchObject({ contractId, acsDelta: false });
      expect(both.archived?.archivedEvent).toMatchObject({ contractId });
    }
    expect(ids(await active(alice.client, { eventFormat: everythingOf(alice.party) }))).not.toContain(
      contractId,
    );
  });

  test.each([
    ["", everythingOf("p"), 400, "MISSING_FIELD"],
    ["xyz", everythingOf("p"), 400, "INVALID_FIELD"],
    [`00${"00".repeat(32)}`, null, 400, "MISSING_FIELD"],
    [`00${"00".repeat(32)}`, {}, 400, "INVALID_ARGUMENT"],
    [`00${"00".repeat(31)}0001`, everythingOf("p"), 404, "CONTRACT_EVENTS_NOT_FOUND"],
  ])("of %j with the format %j are refused", async (contractId, format, status, code) => {
    const refused = await refusalOf(events(anyReader, contractId, format));
    expect(refused).toMatchObject({ status, code });
  });

  test("are hidden from other parties and for other templates", async () => {
    const notFound = { status: 404, code: "CONTRACT_EVENTS_NOT_FOUND" };
    expect(await refusalOf(events(bob.client, coin, everythingOf(bob.party)))).toMatchObject(notFound);
    const other = filterOf(alice.party, template(PREFERENCE));
    expect(await refusalOf(events(alice.client, coin, other))).toMatchObject(notFound);
    const right = await events(alice.client, coin, filterOf(alice.party, template(AMULET)));
    expect(right.created?.createdEvent.contractId).toBe(coin);
  });
});
