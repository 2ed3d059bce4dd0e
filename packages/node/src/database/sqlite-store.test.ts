// Damage of the embedded store's file, syncs beside its commits, and commits that transactions share. All else that a store does is tested for both stores: tests/database/store.test.ts.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { Timer, Timers } from "../host/host.ts";
import { systemHost } from "../system-host.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store, TransactionOptions } from "./store.ts";

const PLAN = {
  store: "pot",
  migrations: ["create table pot (name text primary key, coins bigint not null)"],
};

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
  const damaged = await openSqliteStore(openDatabase(path), PLAN, {
    onDamage: (reason) => told.push(reason),
  });
  onTestFinished(() => damaged.close());
  expect(damaged.unwritable()).toBeNull();
  for (let i = 0; i < 2; i++) await expect(damaged.all("select * from pot")).rejects.toThrow("malformed");
  expect(told).toEqual(["database disk image is malformed"]);
  // Another table can still be written.
  await damaged.run("update store_version set version = version");
  expect(damaged.unwritable()).toBe("pot.db is damaged: database disk image is malformed");
});

test("a transaction that is seen before it is synced fails if it cannot be synced", async () => {
  const path = join(temporaryFolder(), "pot.db");
  const store = await openSqliteStore(openDatabase(path), PLAN);
  onTestFinished(() => store.close());
  const insert = (name: string) =>
    store.transaction((sql) => sql.run("insert into pot values ($1, $2)", name, 1n), {
      seenBeforeSynced: true,
    });
  rmSync(`${path}-wal`);
  await expect(insert("a")).rejects.toThrow(/^.*pot\.db cannot be written: ENOENT/);
  writeFileSync(`${path}-wal`, "");
  await insert("b");
});

/** A store whose repeatable transactions share commits, timers that a test rings, and what another connection sees. */
async function openShared(plan = PLAN, freeBytes = 1e9) {
  const path = join(temporaryFolder(), "pot.db");
  const ringing = new Set<() => void>();
  const timers: Timers = {
    ...systemHost.timers,
    set: (callback) => {
      ringing.add(callback);
      return callback as unknown as Timer;
    },
    clear: (timer) => void ringing.delete(timer as unknown as () => void),
  };
  const store = await openSqliteStore(openDatabase(path), plan, {
    host: { timers, files: { ...systemHost.files, freeBytes: () => freeBytes } },
  });
  await store.run("update store_version set version = version");
  const other = openDatabase(path, { readOnly: true });
  onTestFinished(async () => {
    other.close();
    await store.close();
  });
  const seen = () =>
    other
      .prepare("select name from pot order by name")
      .all()
      .map(({ name }) => name);
  const ring = async () => {
    for (const callback of [...ringing]) callback();
    await store.all("select 1");
  };
  return { store, path, seen, ring };
}

function insert(store: Store, name: string, options: TransactionOptions = { repeatable: true }) {
  return store.transaction((sql) => sql.run("insert into pot values ($1, $2)", name, 1n), options);
}

const namesIn = async (store: Store) =>
  (await store.all("select name from pot order by name")).map(({ name }) => name);

test("repeatable transactions share a commit, which comes in time", async () => {
  const { store, seen, ring } = await openShared();
  await insert(store, "a");
  await insert(store, "b");
  expect([await namesIn(store), seen()]).toEqual([["a", "b"], []]);
  await ring();
  expect(seen()).toEqual(["a", "b"]);
});

test("five hundred transactions are committed before the time", async () => {
  const { store, seen } = await openShared();
  for (let i = 0; i < 499; i++) await insert(store, `${i}`);
  expect(seen()).toEqual([]);
  await insert(store, "499");
  expect(seen()).toHaveLength(500);
});

test.for<[string, (store: Store, path: string) => Promise<unknown>]>([
  ["a transaction that is not repeatable", (store) => insert(store, "c", {})],
  ["one that is seen before it is synced", (store) => insert(store, "c", { seenBeforeSynced: true })],
  ["a statement of its own", (store) => store.run("insert into pot values ($1, $2)", "c", 1n)],
])("%s is never on disk without those before it", async ([, write]) => {
  const { store, path, seen } = await openShared();
  await insert(store, "a");
  await insert(store, "b");
  await write(store, path);
  expect(seen()).toEqual(["a", "b", "c"]);
});

test("a copy and the next process have what was not committed when they were asked for", async () => {
  const { store, path } = await openShared();
  await insert(store, "a");
  await store.copyTo(`${path}.copy`);
  await insert(store, "b");
  await store.close();
  for (const [file, names] of [
    [`${path}.copy`, ["a"]],
    [path, ["a", "b"]],
  ] as const) {
    const next = await openSqliteStore(openDatabase(file), PLAN);
    expect(await namesIn(next)).toEqual(names);
    await next.close();
  }
});

test("a repeatable transaction that fails takes back itself alone", async () => {
  const { store, seen, ring } = await openShared();
  const insertTwice = () =>
    store.transaction(
      async (sql) => {
        await sql.run("insert into pot values ('x', 1)");
        await sql.run("insert into pot values ('a', 1)");
      },
      { repeatable: true },
    );
  await insert(store, "a");
  await expect(insertTwice()).rejects.toThrow("UNIQUE");
  await insert(store, "b");
  expect(await namesIn(store)).toEqual(["a", "b"]);
  await ring();
  expect(seen()).toEqual(["a", "b"]);
  await expect(insertTwice()).rejects.toThrow("UNIQUE");
  await insert(store, "c");
  await ring();
  expect([seen(), await store.losses()]).toEqual([["a", "b", "c"], 0]);
});

const OWNED = {
  store: "pot",
  migrations: [
    "create table coin (id bigint primary key);\n",
    "insert into coin (id) values (1);\n",
    "create table pot (name text primary key, coins bigint references coin deferrable initially deferred);\n",
  ],
};

test("a shared commit that fails is a loss: reads fail until its owner has settled it", async () => {
  const { store, seen, ring } = await openShared(OWNED);
  store.settleLosses(await store.losses());
  let told = 0;
  store.onLoss(() => told++);
  await insert(store, "a");
  await ring();
  await insert(store, "b");
  // Its coin is missing, which the commit finds.
  await store.transaction((sql) => sql.run("insert into pot values ('c', 2)"), { repeatable: true });
  await expect(ring()).rejects.toThrow("reads fail until the end of the stored rows is known again");
  expect([await store.losses(), told, seen()]).toEqual([1, 1, ["a"]]);
  // Transactions find what is there.
  expect(await store.transaction((sql) => sql.all("select name from pot"), { repeatable: true })).toEqual([
    { name: "a" },
  ]);
  store.settleLosses(1);
  expect(await namesIn(store)).toEqual(["a"]);
});

test("a disk that is full fails each transaction by itself, until one is taken", async () => {
  const { store, seen, ring } = await openShared();
  const limit = (pages: number) => store.all(`pragma max_page_count = ${pages}`);
  const fill = (name: string) =>
    store.transaction((sql) => sql.run("insert into pot values ($1, 1)", name.repeat(100_000)), {
      repeatable: true,
    });
  await insert(store, "a");
  await ring();
  await limit(10);
  await expect(fill("b")).rejects.toThrow("pot.db cannot be written: database or disk is full");
  // It changes nothing, and so it says nothing of the disk.
  await store.transaction((sql) => sql.all("select 1"), { repeatable: true });
  await expect(fill("c")).rejects.toThrow("pot.db cannot be written: database or disk is full");
  await limit(1_000_000);
  await store.transaction((sql) => sql.all("select 1"), { repeatable: true });
  await insert(store, "d");
  expect(seen()).toEqual(["a", "d"]);
  expect(await store.losses()).toBe(0);
  await insert(store, "e");
  expect(seen()).toEqual(["a", "d"]);
});

test("on a disk with little room each repeatable transaction is committed by itself", async () => {
  const { store, seen } = await openShared(PLAN, 63_000_000);
  await insert(store, "a");
  expect(seen()).toEqual(["a"]);
});
