/** Items that were read a moment ago: the same as their rows, at the ledger's end alone, and gone with a lost commit. */

import type { StreamItem } from "@callsign/api";
import { openDatabase, type Store } from "@callsign/node";
import { expect, test } from "vitest";
import { MAX_RECENT_BODY, MAX_RECENT_ITEMS } from "../limits/limits.ts";
import { LedgerStore, StoreRewound } from "./ledger-store.ts";
import { listItems } from "./list-items.ts";
import { openParticipantStore } from "./open-participant-store.ts";

/** Parties enough that a page of two offsets is read whole. */
const witnesses = ["alice::1", "bob::1", "carol::1"];

async function openLedger(): Promise<{ store: Store; ledger: LedgerStore }> {
  const store = await openParticipantStore(openDatabase(":memory:"));
  const ledger = new LedgerStore(store);
  await ledger.open();
  return { store, ledger };
}

function item(offset: number, updateId = `u-${offset}`) {
  const event = {
    ...{ kind: "exercised", nodeId: 0, contractId: "00aa", templateId: "t", witnesses, signatories: [] },
    ...{ observers: [], consuming: false, choice: "C", argument: "{}", result: "{}", actingParties: [] },
  };
  const update = { updateId, ledgerTime: "1", events: [event] };
  const body = {
    recordTime: String(offset),
    completion: null,
    update,
    hostings: [],
  } as unknown as StreamItem;
  return { offset, digest: `digest-${offset}`, body: JSON.stringify(body), cause: null };
}

const range = (beginExclusive: number, endInclusive: number) => ({
  ...{ beginExclusive, endInclusive, limit: 100, descending: false, witnesses, hostings: null },
});

test("an item that is read again is the one of its row, whichever way it is read", async () => {
  const { store, ledger } = await openLedger();
  await ledger.ingest([item(1), item(2)]);
  const first = await listItems(ledger, range(0, 2));
  expect(first.map(({ item: { update } }) => update?.updateId)).toEqual(["u-1", "u-2"]);
  // Rows that cannot be read any more show that the items come from memory.
  await store.run("update stream_item set packed = null, body = '{broken'");
  expect(await listItems(ledger, range(0, 2))).toEqual(first);
  expect(await listItems(ledger, range(1, 2))).toEqual(first.slice(1));
  expect(await ledger.findItem(2)).toEqual(first[1]);
  expect(await ledger.findItemById("u-1")).toEqual(first[0]);
  await expect(listItems(ledger, { ...range(0, 2), descending: true })).rejects.toThrow("JSON");
});

test("items far from the ledger's end and long ones are read from their rows each time", async () => {
  const { store, ledger } = await openLedger();
  const long = item(2, "u".repeat(MAX_RECENT_BODY));
  await ledger.ingest([item(1), long]);
  await ledger.findItem(1);
  await ledger.findItem(2);
  await store.run("update stream_item set packed = null, body = '{broken'");
  expect((await ledger.findItem(1))?.offset).toBe(1);
  await expect(ledger.findItem(2)).rejects.toThrow("JSON");
  await ledger.ingest(Array.from({ length: MAX_RECENT_ITEMS }, (_, i) => item(i + 3)));
  for (let offset = 3; offset <= ledger.end; offset++) await ledger.findItem(offset);
  await expect(ledger.findItem(1)).rejects.toThrow("JSON");
});

test("items of a commit that the database has lost are forgotten", async () => {
  const { store, ledger } = await openLedger();
  await ledger.ingest([item(1), item(2)]);
  await ledger.findItem(2);
  await store.run("delete from stream_item where ledger_offset = 2");
  await store.run("update ledger_position set ledger_offset = 1, digest = 'digest-1'");
  expect(await ledger.findItem(2)).toBeDefined();
  await expect(ledger.ingest([item(3)])).rejects.toThrow(StoreRewound);
  expect(await ledger.findItem(2)).toBeUndefined();
});
