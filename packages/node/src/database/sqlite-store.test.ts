// The embedded store: numbered parameters; transactions are atomic and run one after the other.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite-store.ts";

const PLAN = {
  store: "pot",
  migrations: ["create table pot (name text primary key, coins bigint not null)"],
};
const open: SqliteStore[] = [];
const newStore = async () => {
  const store = await openSqliteStore(openDatabase(":memory:"), PLAN);
  open.push(store);
  return store;
};

afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("parameters go by their number, and integers come back whole", async () => {
  const store = await newStore();
  expect(await store.run("insert into pot (name, coins) values ($2, $1)", 2n ** 62n, "a")).toBe(1);
  expect(await store.get("select coins, name, $1 as again from pot where name = $1", "a")).toEqual({
    coins: 2n ** 62n,
    name: "a",
    again: "a",
  });
  expect(await store.all("select * from pot where name = $1", "b")).toEqual([]);
  expect(await store.get("select * from pot where name = $1", "b")).toBeUndefined();
});

test("a transaction that fails leaves nothing, and the next one works", async () => {
  const store = await newStore();
  const failing = store.transaction(async (sql) => {
    await sql.run("insert into pot values ($1, $2)", "a", 1n);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await store.all("select * from pot")).toEqual([]);
  await store.transaction((sql) => sql.run("insert into pot values ($1, $2)", "a", 2n));
  expect(await store.all("select coins from pot")).toEqual([{ coins: 2n }]);
});

test("a transaction's read and its later write have no other write between them", async () => {
  const store = await newStore();
  await store.run("insert into pot values ('a', 0)");
  const add = () =>
    store.transaction(async (sql) => {
      const coins = (await sql.get("select coins from pot"))?.["coins"] as bigint;
      await turn();
      await sql.run("update pot set coins = $1", coins + 1n);
    });
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await store.get("select coins from pot")).toEqual({ coins: 20n });
});

test("statements outside a transaction never see half of it", async () => {
  const store = await newStore();
  const seen: unknown[] = [];
  const writing = store.transaction(async (sql) => {
    await sql.run("insert into pot values ('a', 1)");
    await turn();
    await sql.run("insert into pot values ('b', 1)");
    await turn();
  });
  const reading = [0, 1, 2].map(async () => {
    seen.push((await store.all("select name from pot")).length);
  });
  await Promise.all([writing, ...reading]);
  expect(seen).toEqual([2, 2, 2]);
});

test("closing waits for the transaction that runs", async () => {
  const store = await newStore();
  let finished = false;
  const work = store.transaction(async (sql) => {
    await turn();
    await sql.run("insert into pot values ('a', 1)");
    finished = true;
  });
  await store.close();
  expect(finished).toBe(true);
  await work;
});

test("single statements get their turn among endless transactions", async () => {
  const store = await newStore();
  let done = false;
  const write = async () => {
    while (!done) await store.transaction((sql) => sql.run("insert or replace into pot values ('a', 1)"));
  };
  const writers = [write(), write()];
  for (let i = 0; i < 20; i++) await store.get("select * from pot");
  done = true;
  await Promise.all(writers);
});

test("a damaged page is told by the statement that reads it, and by every check from then on", async () => {
  const path = join(temporaryFolder(), "pot.db");
  const store = await openSqliteStore(openDatabase(path), PLAN);
  await store.run("insert into pot values ($1, $2)", "a", 1n);
  await store.close();
  const found = openDatabase(path);
  const page = Number(
    found.prepare("select rootpage from sqlite_schema where name = 'pot'").get()?.["rootpage"],
  );
  found.close();
  writeFileSync(path, readFileSync(path).fill(0xff, (page - 1) * 4096, page * 4096));
  const told: string[] = [];
  const damaged = await openSqliteStore(openDatabase(path), PLAN, (reason) => told.push(reason));
  open.push(damaged);
  expect(damaged.unwritable()).toBeNull();
  for (let i = 0; i < 2; i++) await expect(damaged.all("select * from pot")).rejects.toThrow("malformed");
  expect(told).toEqual(["database disk image is malformed"]);
  // Another table can still be written.
  await damaged.run("update store_version set version = version");
  expect(damaged.unwritable()).toBe("pot.db is damaged: database disk image is malformed");
});
