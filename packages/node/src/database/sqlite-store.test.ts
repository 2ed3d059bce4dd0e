// Damage of the embedded store's file, and syncs beside its commits. All else that a store does is tested for both stores: tests/database/store.test.ts.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

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
  const damaged = await openSqliteStore(openDatabase(path), PLAN, (reason) => told.push(reason));
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
