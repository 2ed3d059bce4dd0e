/** The ledger API's websockets: each channel, from history into what comes, without a gap and without a repetition. */
import { beforeAll, describe, expect, test } from "vitest";
import { ActiveContract } from "../../packages/api/src/ledger/state.ts";
import { Update } from "../../packages/api/src/ledger/updates.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import type { WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";
import {
  type Actor,
  type LedgerClient,
  newActor,
  readyParticipant,
  type TestParticipant,
} from "../support/participants.ts";
import { createPreference, everythingOf, setPreference } from "./preferences.ts";
import { checkpointOf, openStream, readUpTo, transactionOf, treeOf, updatesOf } from "./stream-reader.ts";

const atEnd = atEndOfFile();
const INTERVALS = { firstMilliseconds: 300, passedMilliseconds: 400, silentMilliseconds: 1200 };
let participant: TestParticipant;
let alice: Actor;
let bob: Actor;
/** More than are read at a time. */
const HISTORY = 130;
const PART = 26;
let history: readonly number[];

beforeAll(async () => {
  participant = await readyParticipant({ streams: { checkpoints: INTERVALS } }, atEnd);
  alice = await newActor(participant, "alice");
  bob = await newActor(participant, "bob");
  // All of them at once are more than one user may have under way.
  const made: Awaited<ReturnType<typeof create>>[] = [];
  while (made.length < HISTORY)
    made.push(...(await Promise.all(Array.from({ length: PART }, () => create(alice)))));
  history = made.map(({ offset }) => offset).sort((a, b) => a - b);
});

async function create({ client, party }: Actor) {
  const { transaction } = await client.submitAndWaitForTransaction({
    body: { commands: createPreference(party) },
  });
  const [event] = transaction.events;
  if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
  return { offset: transaction.offset, contractId: event.CreatedEvent.contractId };
}

const open = (path: string, request: object, user = "alice") =>
  openStream(participant.url + path, user, request);
const endOf = async () => (await alice.client.getLedgerEnd()).offset;
const offsets = (transactions: readonly { readonly offset: number }[]) =>
  transactions.map(({ offset }) => offset);

describe("updates", () => {
  test("arrive in order, first stored ones and then new ones", async () => {
    const reader = await open("/v2/updates", updatesOf(alice.party, { beginExclusive: 0 }));
    const end = await endOf();
    const seen = await readUpTo(reader, Math.max(...history));
    const { offset } = await create(alice);
    const more = await readUpTo(reader, offset);
    expect(offsets([...seen, ...more]).filter((each) => each <= end)).toEqual(history);
    expect(more.at(-1)).toMatchObject({ offset, events: [{ CreatedEvent: { signatories: [alice.party] } }] });
    reader.socket.close();
  });

  test("equal the updates of the list", async () => {
    const end = await endOf();
    const range = { beginExclusive: 0, endInclusive: end };
    const request = updatesOf(alice.party, range, "LEDGER_EFFECTS");
    const frames = await (await open("/v2/updates", request)).rest();
    const body = request as Parameters<LedgerClient["listUpdates"]>[0]["body"];
    const listed = await alice.client.listUpdates({ query: { limit: 200n }, body });
    expect(listed.length).toBeGreaterThanOrEqual(HISTORY);
    expect(frames).toEqual(listed);
    for (const frame of frames) Update.parse(frame);
  });

  test("of a range with an end stop at the end, in either direction", async () => {
    const [begin = 0, end = 0] = [history[4], history.at(-2)];
    const between = history.filter((offset) => offset > begin && offset <= end);
    const range = { beginExclusive: begin, endInclusive: end };
    for (const descendingOrder of [false, true]) {
      const reader = await open("/v2/updates", updatesOf(alice.party, { ...range, descendingOrder }));
      const frames = await reader.rest();
      expect(frames.map((frame) => transactionOf(frame)?.offset)).toEqual(
        descendingOrder ? [...between].reverse() : between,
      );
      expect(await reader.closed).toBe(1000);
    }
    const nothing = await open("/v2/updates", updatesOf(alice.party, { beginExclusive: 3, endInclusive: 3 }));
    expect(await nothing.rest()).toEqual([]);
  });

  test("include newly hosted parties if asked for", async () => {
    const includeTopologyEvents = { includeParticipantAuthorizationEvents: { parties: [bob.party] } };
    const request = {
      beginExclusive: 0,
      endInclusive: await endOf(),
      updateFormat: { includeTopologyEvents },
    };
    const frames = await (await open("/v2/updates", request, "bob")).rest();
    expect(frames).toMatchObject([
      {
        update: {
          TopologyTransaction: {
            value: {
              events: [{ event: { ParticipantAuthorizationAdded: { value: { partyId: bob.party } } } }],
            },
          },
        },
      },
    ]);
  });

  test("can be requested in the older forms, flat and as trees", async () => {
    const legacy = {
      beginExclusive: 0,
      endInclusive: await endOf(),
      verbose: true,
      filter: { filtersByParty: { [alice.party]: { cumulative: [] } } },
    };
    for (const path of ["/v2/updates", "/v2/updates/flats"]) {
      const frames = await (await open(path, legacy)).rest();
      expect(frames.map((frame) => transactionOf(frame)?.offset).slice(0, HISTORY)).toEqual(history);
    }
    const trees = (await (await open("/v2/updates/trees", legacy)).rest()).map(treeOf);
    expect(trees.map((tree) => tree?.offset).slice(0, HISTORY)).toEqual(history);
    expect(Object.values(trees[0]?.eventsById ?? {})).toMatchObject([{ CreatedTreeEvent: {} }]);
  });
});

// The times of checkpoints are tested beside their source, in stream-store.test.ts.
describe("a checkpoint tells the stream's position", () => {
  test("soon after its start", async () => {
    const begin = await endOf();
    const reader = await open("/v2/updates", updatesOf(bob.party, { beginExclusive: begin }), "bob");
    expect(await reader.next(checkpointOf)).toBe(begin);
    reader.socket.close();
  });

  test("after items of other parties, and again when nothing happens", async () => {
    const begin = await endOf();
    const request = { beginExclusive: begin, parties: [bob.party], userId: "bob" };
    const readers = [
      await open("/v2/updates", updatesOf(bob.party, { beginExclusive: begin }), "bob"),
      await open("/v2/commands/completions", request, "bob"),
    ];
    for (const reader of readers) await reader.next(checkpointOf);
    const { offset } = await create(alice);
    // On a slow machine one more of the old position may come first.
    const newCheckpoint = (frame: unknown) => {
      const at = checkpointOf(frame);
      return at === begin ? undefined : at;
    };
    for (const reader of readers) expect(await reader.next(newCheckpoint)).toBe(offset);
    for (const reader of readers) {
      expect(await reader.next(checkpointOf)).toBe(offset);
      reader.socket.close();
    }
  });
});

test("a stream opened under load delivers each update once", async () => {
  const begin = await endOf();
  const work = Array.from({ length: 10 }, async () => {
    const made: number[] = [];
    for (let i = 0; i < 15; i++) made.push((await create(alice)).offset);
    return made;
  });
  const readers: { readonly from: number; readonly reader: WebsocketReader }[] = [];
  for (let i = 0; i < 30; i++) {
    const from = i % 2 === 0 ? begin : await endOf();
    const request = updatesOf(alice.party, { beginExclusive: from });
    const reader = openStream(`${participant.url}/v2/updates`, "alice", request);
    readers.push({ from, reader: await (await reader).opened() });
  }
  const made = (await Promise.all(work)).flat().sort((a, b) => a - b);
  const { offset: last } = await create(alice);
  made.push(last);
  expect(made).toHaveLength(151);
  for (const { from, reader } of readers) {
    expect(offsets(await readUpTo(reader, last))).toEqual(made.filter((offset) => offset > from));
    reader.socket.close();
  }
});

interface CompletionFrame {
  readonly completionResponse: {
    readonly Completion?: { readonly value: { readonly offset: number; readonly commandId: string } };
  };
}
const completionOf = (frame: unknown) => (frame as CompletionFrame).completionResponse.Completion?.value;

describe("completions", () => {
  test.each([
    ["/v2/commands/completions", { userId: "alice" }],
    ["/v2/commands/command-completions", {}],
  ])("of %s arrive in order, stored ones and then new ones", async (path, more) => {
    const [begin = 0, second = 0] = history;
    const reader = await open(path, { ...more, parties: [alice.party], beginExclusive: begin });
    expect((await reader.next(completionOf)).offset).toBe(second);
    const commands = createPreference(alice.party);
    const { completionOffset } = await alice.client.submitAndWait({ body: commands });
    const own = await reader.next((frame) => {
      const completion = completionOf(frame);
      return completion?.commandId === commands.commandId ? completion : undefined;
    });
    expect(own).toMatchObject({ offset: completionOffset, updateId: expect.stringMatching(/^1220/) });
    reader.socket.close();
  });
});

interface ActiveFrame {
  readonly contractEntry: {
    readonly JsActiveContract: { readonly createdEvent: { readonly contractId: string } };
  };
}

describe("active contracts", () => {
  test("are streamed as of the offset, even if archived meanwhile, and then the stream ends", async () => {
    const { contractId } = await create(alice);
    const activeAtOffset = await endOf();
    const request = { activeAtOffset, verbose: false, eventFormat: everythingOf(alice.party) };
    const before = await (await open("/v2/state/active-contracts", request)).rest();
    await alice.client.submitAndWait({ body: setPreference(alice.party, contractId) });
    const reader = await open("/v2/state/active-contracts", request);
    const after = await reader.rest();
    expect(await reader.closed).toBe(1000);
    expect(after.length).toBeGreaterThan(HISTORY);
    expect(after).toEqual(before);
    const ids = after.map(
      (frame) => (frame as ActiveFrame).contractEntry.JsActiveContract.createdEvent.contractId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(contractId);
    for (const frame of after) ActiveContract.parse(frame);
  });
});

describe("a refused stream sends one frame and ends", () => {
  const of = (range: object) => updatesOf(alice.party, range);
  test.each([
    ["/v2/updates", () => of({ beginExclusive: -1 }), "NEGATIVE_OFFSET"],
    ["/v2/updates", () => of({ beginExclusive: 1_000_000 }), "OFFSET_AFTER_LEDGER_END"],
    ["/v2/updates", () => of({ beginExclusive: 0, endInclusive: 0 }), "NON_POSITIVE_OFFSET"],
    ["/v2/updates", () => of({ beginExclusive: 3, endInclusive: 2 }), "OFFSET_OUT_OF_RANGE"],
    ["/v2/updates", () => of({ descendingOrder: true }), "DESCENDING_ORDER_MISSING_END"],
    ["/v2/updates", () => ({ beginExclusive: 0 }), "INVALID_ARGUMENT"],
    ["/v2/updates", () => ({ beginExclusive: "x" }), "INVALID_ARGUMENT"],
    ["/v2/updates/trees", () => ({ beginExclusive: 0 }), "INVALID_ARGUMENT"],
    ["/v2/commands/completions", () => ({ userId: "alice", parties: [] }), "MISSING_FIELD"],
    ["/v2/state/active-contracts", () => ({ activeAtOffset: 1 }), "INVALID_ARGUMENT"],
    // Rights depend on the request, so they are not known at the handshake.
    ["/v2/updates", () => updatesOf(bob.party, { beginExclusive: 0 }), "NA"],
    ["/v2/commands/command-completions", () => ({ parties: [] }), "NA"],
  ])("at %s", async (path, request, code) => {
    const reader = await open(path, request());
    const frames = await reader.rest();
    expect(frames).toMatchObject([{ code, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(await reader.closed).toBe(1000);
  });
});
