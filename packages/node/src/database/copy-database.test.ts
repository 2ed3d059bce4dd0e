// A store is copied as it was at one moment, while transactions go on.

import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const PLAN = {
  store: "pairs",
  migrations: ["create table pair (id integer primary key, half text not null);"],
};
const LONG = "x".repeat(2000);

function read(path: string) {
  const copy = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => copy.close());
  const counted = copy.prepare("select count(*) as rows, coalesce(max(id), 0) as last from pair").get();
  return { ...counted, check: copy.prepare("pragma integrity_check").get()?.["integrity_check"] };
}

test("a copy has whole transactions, and none that was committed after it began", async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, "store.sqlite"), { exclusive: true, synced: false });
  const store = await openSqliteStore(database, PLAN);
  onTestFinished(() => store.close());
  const addPair = () =>
    store.transaction(async (sql) => {
      await sql.run("insert into pair (half) values ($1)", LONG);
      await new Promise((resolve) => setImmediate(resolve));
      await sql.run("insert into pair (half) values ($1)", LONG);
    });
  for (let i = 0; i < 20; i++) await addPair();
  let isCopied = false;
  const before = addPair();
  const copied = store.copyTo(join(folder, "copy.sqlite")).then(() => {
    isCopied = true;
  });
  const after = addPair();
  await before;
  await after;
  while (!isCopied) await addPair();
  await copied;
  expect(read(join(folder, "copy.sqlite"))).toEqual({ rows: 42, last: 42, check: "ok" });
  expect(statSync(join(folder, "copy.sqlite")).mode & 0o777).toBe(0o600);
  // Later commits reach the file again.
  expect(database.prepare("pragma wal_autocheckpoint").get()?.["wal_autocheckpoint"]).toBe(1000n);
  await addPair();
  const { rows } = (await store.get("select count(*) as rows from pair")) ?? {};
  expect(Number(rows)).toBeGreaterThanOrEqual(46);
});

test("commits during a copy stay in the write-ahead log", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "store.sqlite");
  const database = openDatabase(path, { exclusive: true, synced: false });
  const store = await openSqliteStore(database, PLAN);
  onTestFinished(() => store.close());
  await store.run("insert into pair (half) values ($1)", LONG);
  const copied = store.copyTo(join(folder, "copy.sqlite"));
  await Promise.resolve();
  const bytes = statSync(path).size;
  database.exec("begin");
  for (let i = 0; i < 3000; i++) database.prepare("insert into pair (half) values (?)").run(LONG);
  database.exec("commit");
  expect(statSync(path).size).toBe(bytes);
  await expect(store.copyTo(join(folder, "second.sqlite"))).rejects.toThrow(/is being made already/);
  await copied;
  expect(read(join(folder, "copy.sqlite"))).toEqual({ rows: 1, last: 1, check: "ok" });
  await store.run("insert into pair (half) values ($1)", LONG);
  expect(statSync(path).size).toBeGreaterThan(bytes);
  await store.close();
});
