/** Wherever one page ends and the next begins, and however many parties are asked for: each item once, in order. */

import type { CompletionItem, StreamEvent, StreamItem } from "@callsign/api";
import { timeFromMicros } from "@callsign/ledger";
import { Bell, openDatabase, type Store, systemHost } from "@callsign/node";
import { beforeAll, describe, expect, test } from "vitest";
import { CHECKPOINT_INTERVALS } from "../limits/limits.ts";
import { collectItems } from "../reads/collect-items.ts";
import type { CompletionView } from "../reads/completion-view.ts";
import { completionReader, type LedgerReader } from "../reads/ledger-reader.ts";
import { openRange } from "../reads/offset-range.ts";
import { streamActiveContracts } from "../streams/active-stream.ts";
import { followRange } from "../streams/follow-range.ts";
import type { StoredActive } from "./active-contracts.ts";
import { LedgerStore } from "./ledger-store.ts";
import { listCompletions } from "./list-completions.ts";
import { type ItemRange, listItems } from "./list-items.ts";
import { openParticipantStore } from "./open-participant-store.ts";
import type { StoredItem } from "./stored-item.ts";

const host = systemHost;

const COUNT = 900;
const PARTIES = ["p0", "p1", "p2"];
const offsets = Array.from({ length: COUNT }, (_, i) => i + 1);
let ledger: LedgerStore;
let asked = 0;

/** Each offset is one party's; every tenth is a change of hosting, the others are submissions of two users. */
function itemAt(offset: number): StreamItem {
  const [party, userId, recordTime] = [partyAt(offset), userAt(offset), String(offset)];
  if (isHosting(offset)) {
    return { recordTime, completion: null, update: null, hostings: [{ party, hosted: true }] };
  }
  const id = `u-${offset}`;
  const frame = {
    nodeId: 0,
    contractId: `c-${offset}`,
    templateId: "T",
    signatories: [party],
    observers: [],
  };
  const event = { ...frame, kind: "created" as const, witnesses: [party], acsDelta: true };
  const events = [{ ...event, payload: "[]", createdAt: recordTime }];
  return {
    recordTime,
    completion: { userId, commandId: id, submissionId: id, actAs: [party], updateId: id, error: null },
    update: { updateId: id, ledgerTime: recordTime, events },
    hostings: [],
  };
}

function creation(party: string, contractId: string, nodeId: number): StreamEvent {
  return {
    ...{ kind: "created", nodeId, contractId, templateId: "T", payload: "[]", createdAt: "1" },
    ...{ signatories: [party], observers: [], witnesses: [party], acsDelta: true },
  };
}

const isHosting = (offset: number) => offset % 10 === 0;
const partyAt = (offset: number) => `p${offset % 3}`;
const userAt = (offset: number) => `user${offset % 2}`;

/** The store, and how often it was asked. */
function counting(store: Store): Store {
  const all: Store["all"] = (...given) => {
    asked++;
    return store.all(...given);
  };
  const get: Store["get"] = (...given) => {
    asked++;
    return store.get(...given);
  };
  const { run, transaction, unwritable, close } = store;
  return { all, get, run, transaction, unwritable, close };
}

beforeAll(async () => {
  const store = counting(await openParticipantStore(openDatabase(":memory:")));
  ledger = await ledgerWith(store, offsets.map(itemAt));
});

async function ledgerWith(store: Store, items: readonly StreamItem[]): Promise<LedgerStore> {
  const opened = new LedgerStore(store);
  await opened.open();
  const agreed = items.map((item, i) => {
    return { offset: i + 1, digest: `d-${i}`, body: JSON.stringify(item), cause: null };
  });
  await opened.ingest(agreed);
  return opened;
}

const strangers = (count: number) => Array.from({ length: count }, (_, i) => `stranger-${i}`);

describe("completions", () => {
  const views: readonly (readonly [string, CompletionView, (offset: number) => boolean])[] = [
    ["of all", { userId: null, parties: null }, () => true],
    ["of a user", { userId: "user1", parties: new Set(PARTIES) }, (offset) => userAt(offset) === "user1"],
    ["of a party", { userId: null, parties: new Set(["p1"]) }, (offset) => partyAt(offset) === "p1"],
    [
      "of two of three parties",
      { userId: null, parties: new Set(["p2", "p0"]) },
      (offset) => partyAt(offset) !== "p1",
    ],
    [
      "of a party and a thousand others",
      { userId: null, parties: new Set([...strangers(1000), "p2"]) },
      (offset) => partyAt(offset) === "p2",
    ],
  ];
  const offsetOf = ({ completionResponse }: CompletionItem) =>
    "Completion" in completionResponse ? [completionResponse.Completion.value.offset] : [];

  test.each(views)("%s are listed", async (_, view, isWanted) => {
    const reader = completionReader({ ledger, synchronizerId: () => "s" }, view);
    const range = { begin: 0, end: COUNT, descending: false, sought: COUNT };
    const { found } = await collectItems(host, reader, range);
    const wanted = offsets.filter((offset) => !isHosting(offset) && isWanted(offset));
    expect(found.flatMap(offsetOf)).toEqual(wanted);
  });

  test.each(views)("%s are streamed", async (_, view, isWanted) => {
    const wanted = offsets.filter((offset) => !isHosting(offset) && isWanted(offset));
    const stop = new AbortController();
    const parts = tailParts();
    const asking = openRange({ beginExclusive: 0 });
    const seen: number[] = [];
    for await (const item of followRange(parts, completionReader(parts, view), asking, stop.signal)) {
      seen.push(...offsetOf(item));
      if (seen.length === wanted.length) stop.abort();
    }
    expect(seen).toEqual(wanted);
  });
});

function tailParts() {
  return {
    ...{ ledger, host, advanced: new Bell(host.timers), intervals: CHECKPOINT_INTERVALS },
    ...{ synchronizerId: () => "s", recordTime: () => timeFromMicros(1n) },
  };
}

describe("items", () => {
  const hostingOf = (...parties: string[]) => ({ parties: new Set(parties) });
  const ranges = [
    { name: "all updates", witnesses: null, hostings: null, wanted: (o: number) => !isHosting(o) },
    {
      ...{ name: "updates of two", witnesses: ["p1", "p2"], hostings: null },
      wanted: (o: number) => !isHosting(o) && partyAt(o) !== "p0",
    },
    {
      ...{ name: "updates and hostings of all", witnesses: null, hostings: { parties: null } },
      wanted: () => true,
    },
    {
      ...{ name: "updates of one, hostings of another", witnesses: ["p1"], hostings: hostingOf("p2") },
      wanted: (o: number) => partyAt(o) === (isHosting(o) ? "p2" : "p1"),
    },
    {
      ...{ name: "hostings of one", witnesses: [], hostings: hostingOf("p0") },
      wanted: (o: number) => isHosting(o) && partyAt(o) === "p0",
    },
    {
      ...{ name: "updates of one and many others", witnesses: [...strangers(1000), "p1"], hostings: null },
      wanted: (o: number) => !isHosting(o) && partyAt(o) === "p1",
    },
    {
      ...{ name: "all updates, hostings of many", witnesses: null },
      ...{ hostings: hostingOf(...strangers(1000), "p2") },
      wanted: (o: number) => !isHosting(o) || partyAt(o) === "p2",
    },
  ];

  const offsetReader = (
    view: Pick<ItemRange, "witnesses" | "hostings">,
  ): LedgerReader<StoredItem, number> => ({
    list: (page) => listItems(ledger, { ...page, ...view }),
    format: ({ offset }) => [offset],
    checkpoint: () => -1,
  });

  test.each(ranges)("$name are listed, in either direction", async ({ witnesses, hostings, wanted }) => {
    const reader = offsetReader({ witnesses, hostings });
    for (const descending of [false, true]) {
      const range = { begin: 0, end: COUNT, descending, sought: COUNT, isWhole: true };
      const { found } = await collectItems(host, reader, range);
      const expected = offsets.filter(wanted);
      expect(found).toEqual(descending ? expected.reverse() : expected);
    }
  });

  test.each(ranges)("$name are streamed, in either direction", async ({ witnesses, hostings, wanted }) => {
    for (const descendingOrder of [false, true]) {
      const asking = { beginExclusive: 0, endInclusive: COUNT, descendingOrder };
      const seen: number[] = [];
      const reader = offsetReader({ witnesses, hostings });
      const stream = followRange(tailParts(), reader, asking, new AbortController().signal);
      for await (const offset of stream) seen.push(offset);
      const expected = offsets.filter(wanted);
      expect(seen).toEqual(descendingOrder ? expected.reverse() : expected);
    }
  });

  test.each(ranges)("$name are the same in short ranges", async ({ witnesses, hostings, wanted }) => {
    for (const size of [1, 2, 3]) {
      for (let begin = 0; begin < 31; begin++) {
        const bounds = { beginExclusive: begin, endInclusive: begin + size };
        const expected = offsets.slice(begin, begin + size).filter(wanted);
        for (const descending of [false, true]) {
          const given = { ...bounds, limit: 100, descending, witnesses, hostings };
          const found = (await listItems(ledger, given)).map(({ offset }) => offset);
          expect(found).toEqual(descending ? expected.toReversed() : expected);
        }
      }
    }
  });
});

test("active contracts that one transaction made are streamed, each once", async () => {
  const made = Array.from({ length: 450 }, (_, node) => creation("p0", `c-${node}`, node));
  const update = { updateId: "u", ledgerTime: "1", events: made };
  const item: StreamItem = { recordTime: "1", completion: null, update, hostings: [] };
  const store = await openParticipantStore(openDatabase(":memory:"));
  const view = {
    ...{ selections: [{ party: "p0", templateId: null }], activeAt: 1, after: -1n },
    format: ({ contract }: StoredActive) => {
      return { workflowId: contract.contractId, contractEntry: { JsEmpty: {} }, streamContinuationToken: "" };
    },
  };
  const seen: string[] = [];
  const { signal } = new AbortController();
  const ledger = await ledgerWith(store, [item]);
  for await (const { workflowId } of streamActiveContracts({ ledger, host }, view, signal)) {
    seen.push(workflowId);
  }
  expect(seen).toEqual(made.map(({ contractId }) => contractId));
  await store.close();
});

test("following for a thousand parties costs no more than following for a few", async () => {
  const bounds = { beginExclusive: COUNT - 2, endInclusive: COUNT, limit: 100, descending: false };
  const parties = strangers(1000);
  asked = 0;
  await listItems(ledger, { ...bounds, witnesses: parties, hostings: null });
  await listCompletions(ledger, { ...bounds, userId: null, parties: new Set(parties) });
  expect(asked).toBeLessThan(10);
});
