import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { systemHost } from "../system-host.ts";
import { nextTurn } from "../waiting/sleep.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Sql, Store, TransactionOptions } from "./store.ts";
import { WriteBatches } from "./write-batches.ts";

const PLAN = {
  store: "pot",
  migrations: ["create table pot (name text primary key, coins bigint not null)"],
};
const { timers } = systemHost;

/** A store that counts its transactions. */
async function openCounted() {
  const store = await openSqliteStore(openDatabase(join(temporaryFolder(), "pot.db")), PLAN);
  onTestFinished(() => store.close());
  const transactions: (TransactionOptions | undefined)[] = [];
  const counted: Store = {
    ...store,
    transaction: (work, options) => {
      transactions.push(options);
      return store.transaction(work, options);
    },
  };
  const names = async () => (await store.all("select name from pot order by name")).map(({ name }) => name);
  return { store: counted, transactions, names };
}

async function insertAll(sql: Sql, items: readonly string[]): Promise<void> {
  for (const name of items) await sql.run("insert into pot (name, coins) values ($1, 0)", name);
}

test("writes of one turn share a transaction, later ones have the next", async () => {
  const { store, transactions, names } = await openCounted();
  const batches = new WriteBatches({ store, timers, write: insertAll });
  await Promise.all([batches.add("a"), batches.add("b")]);
  expect(await names()).toEqual(["a", "b"]);
  await batches.add("c");
  expect(await names()).toEqual(["a", "b", "c"]);
  expect(transactions).toHaveLength(2);
});

test("writes that arrive while a transaction is being written share the one behind it", async () => {
  const { store, transactions, names } = await openCounted();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const write = async (sql: Sql, items: readonly string[]) => {
    await insertAll(sql, items);
    await mayEnd;
  };
  const batches = new WriteBatches({ store, timers, write });
  const first = batches.add("a");
  const others: Promise<void>[] = [];
  for (const name of ["b", "c", "d"]) {
    await nextTurn(timers);
    await nextTurn(timers);
    others.push(batches.add(name));
  }
  expect(transactions).toHaveLength(1);
  end();
  await Promise.all([first, ...others]);
  expect(await names()).toEqual(["a", "b", "c", "d"]);
  expect(transactions).toHaveLength(2);
});

test("a transaction that fails keeps none of its writes, and leaves the next one alone", async () => {
  const { store, names } = await openCounted();
  const batches = new WriteBatches({ store, timers, write: insertAll });
  const outcomes = await Promise.allSettled([batches.add("a"), batches.add("a")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await batches.add("b");
  expect(await names()).toEqual(["b"]);
});

test("only a transaction whose writes are all repeatable is not synced", async () => {
  const { store, transactions } = await openCounted();
  const isRepeatable = (name: string) => name.startsWith("repeatable");
  const batches = new WriteBatches({ store, timers, write: insertAll, isRepeatable });
  await batches.add("repeatable");
  await Promise.all([batches.add("repeatable too"), batches.add("other")]);
  expect(transactions).toEqual([
    { repeatable: true, seenBeforeSynced: true },
    { repeatable: false, seenBeforeSynced: true },
  ]);
});
