/** The read index: written with the stream, and filled by a migration in a store that has none. */

import { join } from "node:path";
import { openDatabase, openSqliteStore } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { StreamItem } from "../../packages/api/src/index.ts";
import type { SqliteStore } from "../../packages/node/src/database/sqlite-store.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LedgerStore } from "../../packages/participant/src/store/ledger-store.ts";
import { listCompletions } from "../../packages/participant/src/store/list-completions.ts";
import { listItems } from "../../packages/participant/src/store/list-items.ts";
import {
  openParticipantStore,
  participantMigrations,
} from "../../packages/participant/src/store/open-participant-store.ts";
import { topologyUpdateId, unindexItem } from "../../packages/participant/src/store/read-index.ts";

const TABLES = ["topology_update", "hosting_change", "party_completion"];
const nothing = { recordTime: "1", completion: null, update: null, hostings: [] };

function completionOf(actAs: readonly string[], id: string): StreamItem {
  const completion = { userId: "u", commandId: id, submissionId: id, actAs, updateId: null, error: null };
  return { ...nothing, completion };
}

const ITEMS: readonly StreamItem[] = [
  { ...nothing, hostings: [{ party: "alice", hosted: true }] },
  completionOf(["alice"], "1"),
  completionOf(["bob", "alice"], "2"),
  { ...nothing, hostings: [{ party: "bob", hosted: true }] },
  completionOf(["bob"], "3"),
];

async function openStore(folder: string): Promise<{ store: SqliteStore; ledger: LedgerStore }> {
  const store = await openParticipantStore(openDatabase(join(folder, "participant.sqlite")));
  onTestFinished(() => store.close());
  const ledger = new LedgerStore(store);
  await ledger.open();
  return { store, ledger };
}

/** A store from before numbered migrations. */
async function makeEarlierStore(folder: string): Promise<SqliteStore> {
  const plan = { ...participantMigrations, migrations: participantMigrations.migrations.slice(0, 1) };
  const store = await openSqliteStore(openDatabase(join(folder, "participant.sqlite")), plan);
  onTestFinished(() => store.close());
  for (const [index, item] of ITEMS.entries()) {
    const offset = index + 1;
    await store.run(
      "insert into stream_item values ($1, $2, 1, null, $3, '')",
      ...[offset, `digest ${offset}`, JSON.stringify(item)],
    );
    if (item.completion !== null)
      await store.run("insert into completion values ($1, $2, '', 1, 1)", offset, `${offset}`);
  }
  await store.run("insert into ledger_position values (1, $1, '', 1, null, null, null)", ITEMS.length);
  await store.run("drop table store_version");
  return store;
}

async function rowsOf(store: SqliteStore): Promise<string[][]> {
  const tables: string[][] = [];
  for (const table of TABLES) {
    const rows = await store.all(`select * from ${table}`);
    tables.push(rows.map((row) => Object.values(row).join(" ")).sort());
  }
  return tables;
}

async function reads(ledger: LedgerStore) {
  const range = { beginExclusive: 0, endInclusive: ITEMS.length, limit: 10, descending: false };
  const hosted = async (parties: ReadonlySet<string> | null) =>
    (await listItems(ledger, { ...range, witnesses: [], hostings: { parties } })).map(({ offset }) => offset);
  const ended = async (parties: ReadonlySet<string> | null) =>
    (await listCompletions(ledger, { ...range, userId: null, parties })).map(({ offset }) => offset);
  return {
    hosted: [await hosted(null), await hosted(new Set(["bob"]))],
    ended: [await ended(null), await ended(new Set(["alice"])), await ended(new Set(["bob", "nobody"]))],
    byId: (await ledger.findItemById(topologyUpdateId("digest 4")))?.offset,
  };
}

const WANTED = {
  hosted: [[1, 4], [4]],
  ended: [
    [2, 3, 5],
    [2, 3],
    [3, 5],
  ],
  byId: 4,
};

async function ingest(ledger: LedgerStore): Promise<void> {
  await ledger.ingest(
    ITEMS.map((item, index) => ({
      ...{ offset: index + 1, digest: `digest ${index + 1}`, cause: null },
      body: JSON.stringify(item),
    })),
  );
}

test("items are indexed when they are stored", async () => {
  const { ledger } = await openStore(temporaryFolder());
  await ingest(ledger);
  expect(await reads(ledger)).toEqual(WANTED);
});

test("a store from before the index gets it when it is opened", async () => {
  const folder = temporaryFolder();
  const first = await makeEarlierStore(folder);
  for (const table of TABLES) await first.run(`drop table ${table}`);
  await first.close();
  const second = await openStore(folder);
  const other = await openStore(temporaryFolder());
  await ingest(other.ledger);
  expect(await rowsOf(second.store)).toEqual(await rowsOf(other.store));
  expect(await reads(second.ledger)).toEqual(WANTED);
});

test("a store from before numbered migrations whose index is filled is not indexed again", async () => {
  const folder = temporaryFolder();
  const first = await makeEarlierStore(folder);
  await first.run("create table read_index (singleton bigint primary key)");
  await first.run("insert into read_index (singleton) values (1)");
  await first.close();
  const second = await openStore(folder);
  expect(await rowsOf(second.store)).toEqual([[], [], []]);
});

test("index rows are removed with their item", async () => {
  const { store, ledger } = await openStore(temporaryFolder());
  await ingest(ledger);
  await store.transaction(async (sql) => {
    for (const [index, item] of ITEMS.entries()) await unindexItem(sql, BigInt(index + 1), item);
  });
  expect(await rowsOf(store)).toEqual([[], [], []]);
});
