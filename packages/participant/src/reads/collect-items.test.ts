/** A list with an end is whole, however much of its range is nothing to its reader; one without tells how far it is. */

import type { StreamItem } from "@callsign/api";
import { networkCatalogue } from "@callsign/ledger";
import { Bell, openDatabase, systemHost } from "@callsign/node";
import { beforeAll, expect, test } from "vitest";
import { anybody } from "../access/caller.ts";
import { UserQuota } from "../access/user-quota.ts";
import { listRoutes } from "../routes/list-routes.ts";
import { LedgerStore } from "../store/ledger-store.ts";
import { listItems } from "../store/list-items.ts";
import { openParticipantStore } from "../store/open-participant-store.ts";
import type { StoredItem } from "../store/stored-item.ts";
import { collectItems } from "./collect-items.ts";
import type { LedgerReader } from "./ledger-reader.ts";

const COUNT = 6000;
/** The first and the last update are the reader's. */
const reader: Pick<LedgerReader<StoredItem, number>, "list" | "format"> = {
  list: (page) => listItems(ledger, { ...page, witnesses: null, hostings: null }),
  format: ({ offset }) => (offset === 1 || offset === COUNT ? [offset] : []),
};
let ledger: LedgerStore;

beforeAll(async () => {
  ledger = new LedgerStore(await openParticipantStore(openDatabase(":memory:")));
  await ledger.open();
  await ledger.ingest(
    Array.from({ length: COUNT }, (_, i) => {
      const update = { updateId: `update ${i}`, ledgerTime: "1", events: [] };
      const hostings = i === 0 ? [{ party: "alice", hosted: true }] : [];
      const item: StreamItem = { recordTime: "1", completion: null, update, hostings };
      return { offset: i + 1, digest: `${i}`, body: JSON.stringify(item), cause: null };
    }),
  );
});

test.each([
  [false, [1, COUNT]],
  [true, [COUNT, 1]],
])("a list with an end is collected as a whole, in descending order: %s", async (descending, wanted) => {
  const range = { begin: 0, end: COUNT, descending, sought: 3, isWhole: true };
  const { found, rest } = await collectItems(systemHost, reader, range);
  expect(found).toEqual(wanted);
  expect(rest).toBeNull();
});

test.each([
  [false, [1], [COUNT]],
  [true, [COUNT], [1]],
])(
  "a long list is collected in parts that continue one another, in descending order: %s",
  async (descending, ...wanted) => {
    const range = { begin: 0, end: COUNT, descending, sought: 3 };
    const first = await collectItems(systemHost, reader, range);
    const rest = first.rest ?? 0;
    expect(rest).toBeGreaterThan(0);
    expect(first.reached).toBe(descending ? null : rest);
    const behind = descending ? { ...range, end: rest } : { ...range, begin: rest };
    const second = await collectItems(systemHost, reader, behind);
    expect([first.found, second.found]).toEqual(wanted);
    expect(second.rest).toBeNull();
  },
);

test("collecting stops when enough is found", async () => {
  const range = { begin: 0, end: COUNT, descending: false, sought: 1, isWhole: true };
  expect(await collectItems(systemHost, reader, range)).toEqual({
    found: [1],
    reached: null,
    rest: null,
  });
});

test("collecting stops when the caller disconnects", async () => {
  const signal = AbortSignal.abort();
  const range = { begin: 0, end: COUNT, descending: false, sought: 3, isWhole: true, signal };
  expect(await collectItems(systemHost, reader, range)).toEqual({
    found: [],
    reached: null,
    rest: null,
  });
});

test("a list that was cut short ends with a checkpoint, with or without updates", async () => {
  const parts = {
    ...{
      ledger,
      host: systemHost,
      catalogue: networkCatalogue,
      participantId: "participant",
      synchronizerId: () => "s",
    },
    ...{
      advanced: new Bell(systemHost.timers),
      waiting: new UserQuota(1, "lists"),
      recordTime: () => undefined,
    },
  };
  const eventFormat = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false };
  const body = {
    ...{ beginExclusive: 0, endInclusive: null, filter: null, verbose: false, descendingOrder: false },
    updateFormat: {
      includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const },
      includeReassignments: null,
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: ["alice"] } },
    },
  };
  const call = {
    ...{ caller: anybody, signal: new AbortController().signal, traceId: "", method: "POST", url: "" },
    address: "",
    header: () => undefined,
  };
  const query = { limit: null, stream_idle_timeout_ms: null };
  const found = await listRoutes(parts).listUpdates({ params: {}, query, body }, call);
  expect(found).toMatchObject([
    { update: { TopologyTransaction: { value: { offset: 1 } } } },
    { update: { OffsetCheckpoint: { value: { offset: 5000 } } } },
  ]);
});
