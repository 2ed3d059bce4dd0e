// Items of the stream that a participant stores together have the same rows as items that it stores one by one.

import type { StreamEvent, StreamItem } from "@callsign/api";
import { type Store, systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { contractNumber, NEVER } from "../../packages/participant/src/store/contract-number.ts";
import { LedgerStore, StoreRewound } from "../../packages/participant/src/store/ledger-store.ts";
import { listItems } from "../../packages/participant/src/store/list-items.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import { SubmissionNotes } from "../../packages/participant/src/store/submission-notes.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest } from "./stores.ts";

const TABLES = [
  ...["stream_item", "update_witness", "completion", "user_completion", "submission_context", "contract"],
  ...["stakeholder", "topology_update", "hosting_change", "party_completion", "party", "ledger_position"],
  ...["name_number", "submission_note", "submission_note_context"],
];
const HOSTED = ["alice", "bob"];
const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: null };
const context = { trace, period: null };

function created(nodeId: number, contractId: string, acsDelta = true): StreamEvent {
  const [signatories, observers] = [["alice", "elsewhere"], nodeId % 2 === 0 ? ["bob"] : []];
  return {
    ...{ kind: "created", nodeId, contractId, templateId: `T${nodeId % 3}`, payload: "[]", createdAt: "1" },
    ...{ signatories, observers, witnesses: HOSTED, acsDelta },
  };
}

function archived(nodeId: number, contractId: string, acsDelta = true): StreamEvent {
  return {
    ...{ kind: "exercised", nodeId, contractId, templateId: "T", lastDescendant: nodeId, interfaceId: null },
    ...{ choice: "C", consuming: true, actingParties: ["alice"], argument: "[]", result: "[]" },
    ...{ signatories: ["alice"], observers: [], witnesses: HOSTED, acsDelta },
  };
}

function itemOf(offset: number, events: readonly StreamEvent[], rest: Partial<StreamItem> = {}) {
  const completion = {
    ...{ submissionId: `s${offset}`, userId: `u${offset % 2}`, commandId: `c${offset}`, actAs: HOSTED },
    ...{ error: offset === 3 ? { code: "X" } : null },
  } as unknown as StreamItem["completion"];
  const update = { updateId: `update ${offset}`, ledgerTime: "1", events: [...events] };
  const item: StreamItem = { recordTime: `${offset}`, completion, update, hostings: [], ...rest };
  return { offset, digest: `digest ${offset}`, body: JSON.stringify(item), cause: null };
}

/** Contracts that outlive their transaction, their page, or neither; more at once than one statement takes. */
const ITEMS = [
  itemOf(1, [], { update: null, hostings: HOSTED.map((party) => ({ party, hosted: true })) }),
  itemOf(
    2,
    Array.from({ length: 40 }, (_, i) => created(i, `many ${i}`)),
  ),
  itemOf(3, [], { update: null }),
  itemOf(4, [created(0, "came and went", false), archived(1, "came and went", false), created(2, "brief")]),
  itemOf(5, [archived(0, "brief"), created(3, "long")], { completion: null }),
  itemOf(
    6,
    Array.from({ length: 35 }, (_, i) => archived(i, `many ${i}`)),
  ),
  itemOf(7, [archived(9, "unknown"), archived(5, "many 39")]),
];

async function openLedger(store: Store): Promise<LedgerStore> {
  const ledger = new LedgerStore(store);
  await ledger.open();
  const notes = new SubmissionNotes(store, systemHost.timers);
  for (const id of ["s2", "s4"])
    await notes.keep({ id, workflowId: `w ${id}`, submissionId: "given", maxRecordTime: 9n, context });
  return ledger;
}

async function rowsOf(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    const rows = await store.all(`select * from ${table}`);
    tables[table] = rows
      .map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}n` : value)))
      .sort();
  }
  return tables;
}

const range = {
  ...{ beginExclusive: 0, endInclusive: ITEMS.length, limit: 100, descending: false },
  ...{ witnesses: ["alice"], hostings: { parties: new Set(["bob"]) } },
};

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("a page of items has the rows of its items, and is read from memory as from its rows", async (given) => {
    const [one, all] = [
      await new StorePlaceOfTest(kind, given).open(participantMigrations),
      await new StorePlaceOfTest(kind, given).open(participantMigrations),
    ];
    const [byOne, byPage] = [await openLedger(one), await openLedger(all)];
    for (const item of ITEMS) await byOne.ingest([item]);
    await byPage.ingest(ITEMS);
    const rows = await rowsOf(all);
    expect({ ...rows, name_number: [] }).toEqual({ ...(await rowsOf(one)), name_number: [] });
    const count = Object.fromEntries(Object.entries(rows).map(([table, some]) => [table, some.length]));
    expect(count).toMatchObject({ contract: 43, stakeholder: 40 + 20 + 2 + 1, submission_context: 2 });
    const archivals = await all.all(
      "select contract_number, archived_offset, archived_node from contract order by contract_number",
    );
    const archivalOf = (offset: number, node: number) => {
      const row = archivals.find((each) => each["contract_number"] === contractNumber(offset, node));
      return [row?.["archived_offset"], row?.["archived_node"]];
    };
    expect([archivalOf(2, 34), archivalOf(2, 35), archivalOf(2, 39)]).toEqual([
      ...[[6n, 34n] as const, [NEVER, null] as const, [7n, 5n] as const],
    ]);
    expect([archivalOf(4, 0), archivalOf(4, 2), archivalOf(5, 3)]).toEqual([
      ...[[4n, 1n] as const, [5n, 0n] as const, [NEVER, null] as const],
    ]);
    const fromMemory = await listItems(byPage, range);
    byPage.recent.clear();
    expect(await listItems(byPage, range)).toEqual(fromMemory);
    expect(fromMemory.map(({ offset }) => offset)).toEqual([1, 2, 4, 5, 6, 7]);
    expect(fromMemory.find(({ offset }) => offset === 4)).toMatchObject({ workflowId: "w s4", context });
  });

  test("a page that is partly stored is completed, and one behind a gap leaves nothing", async (given) => {
    const store = await new StorePlaceOfTest(kind, given).open(participantMigrations);
    const ledger = await openLedger(store);
    await ledger.ingest(ITEMS.slice(0, 3));
    // As if the answer to an earlier call had been lost.
    await ledger.ingest(ITEMS.slice(0, 5));
    await ledger.ingest(ITEMS.slice(1, 4));
    const before = await rowsOf(store);
    expect(before["stream_item"]).toHaveLength(5);
    await expect(ledger.ingest(ITEMS.slice(6))).rejects.toThrow(StoreRewound);
    expect(await rowsOf(store)).toEqual(before);
    await ledger.ingest(ITEMS.slice(5));
    expect((await rowsOf(store))["ledger_position"]).toEqual([expect.stringContaining("digest 7")]);
  });
});
