/** Pruning of the store: removed and kept rows, chunks, interruptions and query plans. */

import { openDatabase } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { StreamEvent, StreamItem } from "../../packages/api/src/index.ts";
import { commandKey } from "../../packages/ledger/src/index.ts";
import type { Sql } from "../../packages/node/src/database/store.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { PRUNING_CHUNK } from "../../packages/participant/src/limits/limits.ts";
import { Pruner } from "../../packages/participant/src/pruning/pruner.ts";
import { LedgerStore } from "../../packages/participant/src/store/ledger-store.ts";
import { openParticipantStore } from "../../packages/participant/src/store/open-participant-store.ts";
import { PruningStore } from "../../packages/participant/src/store/pruning-store.ts";
import { testLog } from "../support/sv-nodes.ts";

const DAY = 86_400_000_000n;
const BEGIN = 1_700_000_000_000_000n;
const PARTY = "alice::1220";

function created(contractId: string, acsDelta = true): StreamEvent {
  return {
    kind: "created",
    ...{ nodeId: 0, contractId, templateId: "T", payload: "{}", createdAt: "0", acsDelta },
    ...{ signatories: [PARTY], observers: ["bob::1220"], witnesses: [PARTY, "bob::1220"] },
  };
}

function archived(contractId: string, nodeId = 0): StreamEvent {
  return {
    kind: "exercised",
    ...{ nodeId, contractId, templateId: "T", acsDelta: true, lastDescendant: nodeId, interfaceId: null },
    ...{ choice: "Archive", consuming: true, actingParties: [PARTY], argument: "{}", result: "{}" },
    ...{ signatories: [PARTY], observers: ["bob::1220"], witnesses: [PARTY, "bob::1220"] },
  };
}

function itemOf(offset: number, recordTime: bigint, events: readonly StreamEvent[]): StreamItem {
  const command = { userId: "alice", commandId: `command-${offset}`, actAs: [PARTY] };
  return {
    recordTime: String(recordTime),
    completion: { ...command, submissionId: `s-${offset}`, updateId: `u-${offset}`, error: null },
    update: { updateId: `u-${offset}`, ledgerTime: String(recordTime), events },
    hostings: offset === 1 ? [{ party: PARTY, hosted: true }] : [],
  };
}

/** Each contract is created at an odd offset and archived at the next, but for every tenth, which stays. */
async function fill(ledger: LedgerStore, offsets: number, stepMicroseconds: bigint): Promise<void> {
  const items = Array.from({ length: offsets }, (_, i) => {
    const offset = i + 1;
    const contract = `contract-${Math.ceil(offset / 2)}`;
    const stays = Math.ceil(offset / 2) % 10 === 0;
    const events = offset % 2 === 1 ? [created(contract)] : stays ? [] : [archived(contract)];
    const body = JSON.stringify(itemOf(offset, BEGIN + BigInt(offset) * stepMicroseconds, events));
    return { offset, digest: `digest-${offset}`, body, cause: null };
  });
  for (let i = 0; i < items.length; i += 500) await ledger.ingest(items.slice(i, i + 500));
}

async function openStore(path = ":memory:") {
  const store = await openParticipantStore(openDatabase(path));
  onTestFinished(() => store.close());
  const ledger = new LedgerStore(store);
  const { position } = await ledger.open();
  const pruning = new PruningStore(store, ledger);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const pruner = new Pruner({
    ...{ ledger, store: pruning, host: systemHost, log: testLog() },
    stopping: stop.signal,
  });
  return { store, ledger, pruning, pruner, position };
}

async function count(sql: Sql, from: string): Promise<number> {
  return Number((await sql.get(`select count(*) as rows from ${from}`))?.["rows"]);
}

test("pruned rows are removed, and all others stay", async () => {
  const { store, ledger, pruner } = await openStore();
  await fill(ledger, 100, DAY);
  await pruner.prune(61);
  expect(ledger.prunedUpTo).toBe(61);
  const tables = ["stream_item", "update_witness", "user_completion", "party_completion", "hosting_change"];
  for (const table of tables) {
    expect(await count(store, `${table} where ledger_offset <= 61`), table).toBe(0);
  }
  expect(await count(store, "stream_item")).toBe(39);
  // 50 were created. Those of the pairs up to (59, 60) were archived in time, but for the tenth, 20th and 30th.
  expect(await count(store, "contract")).toBe(50 - 30 + 3);
  expect(await count(store, "stakeholder")).toBe(2 * (50 - 30 + 3));
  expect(await ledger.findContract("contract-1")).toBeUndefined();
  expect(await ledger.findContract("contract-10")).toMatchObject({ offset: 19, archived: null });
  expect(await ledger.findContract("contract-31")).toMatchObject({ offset: 61, archived: { offset: 62 } });
  expect(await ledger.findRecordTime(61)).toBe(BEGIN + 61n * DAY);
});

test("a command is known as long as deduplication can ask for it, and no longer", async () => {
  const { store, ledger, pruner } = await openStore();
  await fill(ledger, 100, DAY / 4n);
  const keyAt = (offset: number) =>
    commandKey({ userId: "alice", commandId: `command-${offset}`, actAs: [PARTY] });
  await pruner.prune(99);
  // Seven days before the last item are 28 items.
  expect(await ledger.findAccepted(keyAt(72))).toMatchObject({ submissionId: "s-72" });
  expect(await ledger.findAccepted(keyAt(99))).toMatchObject({ submissionId: "s-99" });
  expect(await ledger.findAccepted(keyAt(71))).toBeUndefined();
  expect(await count(store, "completion")).toBe(29);
});

test("contracts created and archived in one transaction are removed with it", async () => {
  const { store, ledger, pruner } = await openStore();
  const events = [created("brief", false), archived("brief", 1)];
  const items = [1, 2, 3].map((offset) => ({
    ...{ offset, digest: `digest-${offset}`, cause: null },
    body: JSON.stringify(itemOf(offset, BEGIN, offset === 1 ? events : [])),
  }));
  await ledger.ingest(items);
  expect(await ledger.findContract("brief")).toMatchObject({ activated: false });
  await pruner.prune(1);
  expect(await ledger.findContract("brief")).toBeUndefined();
  expect(await count(store, "contract")).toBe(0);
});

test("other transactions run between two chunks", async () => {
  const { store, ledger, pruner } = await openStore();
  await fill(ledger, 4000, 1n);
  const pruned = pruner.prune(3999);
  await expect.poll(() => count(store, "stream_item"), { interval: 1 }).toBeLessThan(4000);
  let answers = 0;
  for (let last = await count(store, "stream_item"); pruner.isRunning; answers++) {
    // As a call from outside would, it comes with the next turn of the process.
    await new Promise((resolve) => setImmediate(resolve));
    const rows = await count(store, "stream_item");
    // The read was answered after the chunk that was under way, and perhaps one more.
    expect(last - rows).toBeLessThanOrEqual(2 * PRUNING_CHUNK);
    last = rows;
  }
  await pruned;
  expect(answers).toBeGreaterThanOrEqual(3999 / (2 * PRUNING_CHUNK));
  expect(await count(store, "stream_item")).toBe(1);
});

test("a prune interrupted by a stop is finished after it, and the stream goes on", async () => {
  const path = `${temporaryFolder()}/participant.sqlite`;
  const first = await openStore(path);
  await fill(first.ledger, 1000, 1n);
  await first.pruning.advance(900);
  await first.pruning.removeChunk();
  expect(await count(first.store, "contract where archived_offset <= 900")).toBeGreaterThan(0);
  await first.store.close();
  const again = await openStore(path);
  expect(again.ledger.prunedUpTo).toBe(900);
  expect(again.position).toEqual({ offset: 1000, digest: "digest-1000" });
  // Refused before it is removed.
  expect(await again.ledger.findContract("contract-449")).toBeUndefined();
  expect(await count(again.store, "stream_item where ledger_offset = 900")).toBe(1);
  expect(await again.ledger.findItem(900)).toBeUndefined();
  expect(await again.ledger.findItemById("u-900")).toBeUndefined();
  expect(await again.ledger.findItemById("u-901")).toMatchObject({ offset: 901 });
  again.pruner.start();
  await again.pruner.idle();
  expect(await count(again.store, "contract where archived_offset <= 900")).toBe(0);
  expect(await count(again.store, "stream_item")).toBe(100);
});

test("the offset of a time is the last before it", async () => {
  const { ledger, pruning, pruner } = await openStore();
  expect(await pruning.findOffsetBefore(BEGIN)).toBe(0);
  await fill(ledger, 100, 10n);
  for (let offset = 0; offset <= 100; offset++) {
    expect(await pruning.findOffsetBefore(BEGIN + BigInt(offset) * 10n + 1n)).toBe(offset);
    expect(await pruning.findOffsetBefore(BEGIN + BigInt(offset) * 10n)).toBe(Math.max(offset - 1, 0));
  }
  await pruner.prune(50);
  expect(await pruning.findOffsetBefore(BEGIN)).toBe(50);
  expect(await pruning.findOffsetBefore(BEGIN + 771n)).toBe(77);
});

test("the space of removed rows is used again", async () => {
  const { store, ledger, pruner } = await openStore();
  await fill(ledger, 2000, 1n);
  await pruner.prune(1999);
  const free = Number((await store.get("pragma freelist_count"))?.["freelist_count"]);
  const pages = Number((await store.get("pragma page_count"))?.["page_count"]);
  expect(free).toBeGreaterThan(pages / 2);
});

test("no statement of pruning scans a whole table", async () => {
  const statements = new Set<string>();
  const store = await openParticipantStore(openDatabase(":memory:"));
  onTestFinished(() => store.close());
  const recorded = {
    ...store,
    transaction: <T>(work: (sql: Sql) => Promise<T>) =>
      store.transaction((sql) => {
        const note =
          <A extends readonly unknown[], R>(ask: (statement: string, ...rest: A) => R) =>
          (statement: string, ...rest: A) => {
            statements.add(statement);
            return ask(statement, ...rest);
          };
        return work({ all: note(sql.all), get: note(sql.get), run: note(sql.run) });
      }),
  };
  const ledger = new LedgerStore(recorded);
  await ledger.open();
  await fill(ledger, 40, DAY);
  statements.clear();
  const pruning = new PruningStore(recorded, ledger);
  await pruning.advance(30);
  while (await pruning.removeChunk());
  expect(statements.size).toBeGreaterThan(10);
  for (const statement of statements) {
    const plan = await store.all(`explain query plan ${statement}`);
    for (const { detail } of plan) expect(String(detail), statement).not.toMatch(/^SCAN(?!.* USING)/);
  }
});
