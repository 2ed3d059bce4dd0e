// The history of wallets in few bytes: items and contracts are read as they were derived, whichever release wrote them.

import type { NameRequest, TransactionItem } from "@callsign/api";
import { Amulet, SubscriptionIdleState } from "@callsign/ledger";
import type { Store } from "@callsign/node";
import { describe, expect, test } from "vitest";
import type { HistoryPage } from "../../packages/validator/src/history/derive-page.ts";
import { templateKey } from "../../packages/validator/src/history/event-values.ts";
import { HistoryStore } from "../../packages/validator/src/history/history-store.ts";
import { type KnownContract, noFacts } from "../../packages/validator/src/history/known-contracts.ts";
import type { NameRequestChange } from "../../packages/validator/src/history/name-requests.ts";
import type { NewNameRequest } from "../../packages/validator/src/history/new-name-request.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest, upTo } from "./stores.ts";

/** The version of stores without a packed history. */
const BEFORE_PACKING = 15;
const BEFORE_PACKED_REQUESTS = 16;
/** More than a dictionary is made of. */
const MANY = 80;

const alice = `alice::1220${"b".repeat(64)}`;
const at = { from: 0, to: 1 };

type Row = HistoryPage["items"][number];

/** Three updates have one record time, each with an item at two nodes. */
function rowOf(number: number): Row {
  const update = Math.floor(number / 2);
  const updateId = `1220${((update * 7919) % 1000).toString(16).padStart(4, "0")}${"c".repeat(60)}`;
  const nodeId = number % 2 === 0 ? 2 : 10;
  const item = {
    transaction_type: "unknown",
    transaction_subtype: { template_id: "t", choice: "c", amulet_operation: null, interface_id: null },
    ...{
      event_id: `#${updateId}:${nodeId}`,
      date: `2026-01-01T00:00:00.${String(number).padStart(3, "0")}Z`,
    },
  } satisfies TransactionItem;
  return { party: alice, nodeId, item, updateId, recordTime: BigInt(Math.floor(update / 3)), offset: 1 };
}

const rows = Array.from({ length: MANY }, (_, number) => rowOf(number));

function pageOf(items: readonly Row[], learned = noFacts()): HistoryPage {
  const nothing = {
    tracked: [],
    forgotten: new Set<string>(),
    fundCouponEndings: [],
    nameRequestChanges: [],
  };
  return { items, learned, ...nothing };
}

/** Newest first. */
const listed = rows
  .toSorted(
    (a, b) =>
      Number(b.recordTime - a.recordTime) ||
      (a.updateId < b.updateId ? 1 : a.updateId > b.updateId ? -1 : b.nodeId - a.nodeId),
  )
  .map(({ item }) => item);

const readAll = (database: Store) =>
  new HistoryStore(database).listItems(alice, { limit: 1000, after: null });

/** As earlier releases wrote it. */
async function insertPlain(database: Store, row: Row): Promise<void> {
  const { party, item, updateId, recordTime, nodeId } = row;
  await database.run(
    `insert into history_items (party, event_id, update_id, record_time, node, ledger_offset, item)
     values ($1, $2, $3, $4, $5, 1, $6)`,
    ...[party, item.event_id, updateId, recordTime, BigInt(nodeId), JSON.stringify(item)],
  );
}

const idle = {
  template: templateKey(SubscriptionIdleState),
  payload: { reference: `00${"a".repeat(136)}`, note: "a subscription" },
};
const coin = { template: templateKey(Amulet), payload: { amount: "1.0" } };
const idOf = (number: number) => `00${number.toString(16).padStart(136, "0")}`;

const TIME = "2026-01-01T00:00:00Z";

/** Ten at a time. */
function requestOf(number: number): NewNameRequest {
  const createdAt = `2026-01-01T00:00:0${Math.floor(number / 10)}Z`;
  const content = { name: `name-${number}`, url: "", description: "" };
  return { party: alice, purpose: "purchase", ...content, entry: null, createdAt, offset: 1 };
}

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("items are kept in few bytes, and are read as they were derived, page by page", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const history = new HistoryStore(database);
    await history.apply(pageOf(rows), at);
    expect(await readAll(database)).toEqual(listed);
    const pages: TransactionItem[] = [];
    for (let after: string | null = null; ; ) {
      const page: readonly TransactionItem[] = await history.listItems(alice, { limit: 7, after });
      if (page.length === 0) break;
      pages.push(...page);
      after = page.at(-1)?.event_id ?? null;
    }
    expect(pages).toEqual(listed);
    const kept = await database.all(
      "select item, packed from history_items order by record_time desc limit 1",
    );
    const { packed, item } = kept[0] ?? {};
    expect(item).toBe("");
    expect((packed as Uint8Array).length).toBeLessThan(40);
  });

  test("items of an earlier release stand in order among later ones, and may be written again", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(walletMigrations, BEFORE_PACKING));
    // Every other update is an earlier one.
    const isEarly = (_: Row, number: number) => number % 4 < 2;
    for (const row of rows.filter(isEarly)) await insertPlain(before, row);
    await before.close();
    const database = await place.open(walletMigrations);
    await new HistoryStore(database).apply(pageOf(rows.filter((row, number) => !isEarly(row, number))), at);
    expect(await readAll(database)).toEqual(listed);
    await new HistoryStore(database).apply(pageOf(rows), at);
    expect(await readAll(database)).toEqual(listed);
    const plain = await database.all("select event_id from history_items where packed is null or item <> ''");
    expect(plain).toEqual([]);
  });

  test("contracts are known as they were learned, and those of an earlier release", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(walletMigrations, BEFORE_PACKING));
    await before.run(
      "insert into history_contracts (contract_id, template, payload) values ($1, $2, $3)",
      ...[idOf(1), idle.template, JSON.stringify(idle.payload)],
    );
    await before.close();
    const database = await place.open(walletMigrations);
    const contracts = new Map<string, KnownContract>([
      [idOf(2), idle],
      [idOf(3), coin],
    ]);
    const names = new Map([[idle.payload.reference, { name: "n", url: "", description: "" }]]);
    await new HistoryStore(database).addFacts({ ...noFacts(), contracts, names });
    const known = await new HistoryStore(database).findKnown(new Set([1, 2, 3].map(idOf)));
    expect(known).toEqual({ ...noFacts(), names, contracts: new Map([[idOf(1), idle], ...contracts]) });
    const packed = await database.all("select contract_id from history_contracts where packed is not null");
    expect(packed).toEqual([{ contract_id: idOf(2) }]);
  });

  test("an item that has changed on disk is not read", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    await new HistoryStore(database).apply(pageOf(rows.slice(0, 1)), at);
    const row = await database.get("select packed from history_items");
    const damaged = Uint8Array.from(row?.["packed"] as Uint8Array);
    damaged[damaged.length - 3] = (damaged.at(-3) as number) ^ 0x10;
    await database.run("update history_items set packed = $1", damaged);
    await expect(readAll(database)).rejects.toThrow();
  });

  test("items are readable after a rollback, and after a loss, took the dictionary away", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const history = new HistoryStore(database);
    const broken = { ...pageOf(rows), learned: null as never };
    await expect(history.apply(broken, at)).rejects.toThrow();
    await history.apply(pageOf(rows), at);
    expect(await readAll(database)).toEqual(listed);
    for (const table of ["history_items", "text_dictionary"]) await database.run(`delete from ${table}`);
    await history.apply(pageOf(rows), at);
    expect(await readAll(database)).toEqual(listed);
  });

  test("requests for names are read as their steps were written, also those of an earlier release", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(walletMigrations, BEFORE_PACKED_REQUESTS));
    const content = JSON.stringify({ name: "name-0", url: "", description: "" });
    const paid = JSON.stringify({ amount: "1.0", at: TIME, updateId: "1220" });
    await before.run(
      `insert into name_requests (reference, party, purpose, content, requested_at, payment, ledger_offset)
       values ($1, $2, 'purchase', $3, 0, $4, 1)`,
      ...[idOf(0), alice, content, paid],
    );
    await before.close();
    const database = await place.open(walletMigrations);
    const history = new HistoryStore(database);
    const { nameRequests } = history;
    expect(await nameRequests.find(alice, idOf(0))).toMatchObject({ name: "name-0", state: "paid" });
    const asked = new Map(rows.slice(1).map((_, i) => [idOf(i + 1), requestOf(i + 1)]));
    await history.apply(pageOf([], { ...noFacts(), nameRequests: asked }), at);
    expect(await nameRequests.find(alice, idOf(1))).toMatchObject({
      state: "waiting_for_payment",
      payment: null,
    });
    const step = (number: number, of: NameRequestChange["step"]) => ({
      ...{ reference: idOf(number), step: of, at: TIME, updateId: `1220${"d".repeat(64)}`, offset: 1 },
    });
    const registered = { kind: "ended", state: "registered", reason: null, refund: null } as const;
    const nameRequestChanges = [
      ...rows.slice(1).map((_, i) => step(i + 1, { kind: "paid", amount: "2.0" })),
      ...[...rows.map((_, i) => step(i, registered)), step(999, registered)],
    ];
    await history.apply({ ...pageOf([]), nameRequestChanges }, at);
    const found: NameRequest[] = [];
    for (let after: string | null = null; ; after = found.at(-1)?.id ?? null) {
      const page: readonly NameRequest[] = await new HistoryStore(database).nameRequests.list(alice, {
        ...{ limit: 7, after },
      });
      if (page.length === 0) break;
      found.push(...page);
    }
    // Requests of one time are ordered by their ids.
    expect(found.map(({ id }) => id)).toEqual(rows.map((_, i) => idOf(i)).reverse());
    expect(found.map(({ name, state }) => [name, state])).toEqual(
      rows.map((_, i) => [`name-${i}`, "registered"]).reverse(),
    );
    expect(found.map(({ payment }) => payment?.amount)).toEqual([...rows.slice(1).map(() => "2.0"), "1.0"]);
    const packed = await database.get(
      "select content, packed from name_requests where reference = $1",
      idOf(79),
    );
    expect(packed?.["content"]).toBe("");
    expect(packed?.["packed"]).toBeInstanceOf(Uint8Array);
  });
});
