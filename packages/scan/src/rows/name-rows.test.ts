import { migrateDatabase, openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { expect, onTestFinished, test } from "vitest";
import { NAMES_AS_THEY_CAME, openNameRows } from "./name-rows.ts";
import { scanMigrations } from "./scan-migrations.ts";

const ID = `00${"ab".repeat(32)}`;

test("names of an earlier release are found, in their order and by owner", () => {
  const database = openDatabase(":memory:");
  onTestFinished(() => database.close());
  new SqliteState(database);
  const { migrations } = scanMigrations;
  const before = migrations.findIndex((each) => `${each}`.startsWith(NAMES_AS_THEY_CAME));
  migrateDatabase(database, { ...scanMigrations, migrations: migrations.slice(0, before) });
  const insert = database.prepare(
    "insert into name_entry (name, expires_at, created, json) values (?, ?, ?, ?)",
  );
  const entries = ["carol", "alice", "bob"].map((name, i) => ({
    name,
    contract_id: `${ID}${i}`,
    user: name,
  }));
  for (const [i, entry] of entries.entries()) insert.run(entry.name, 10 + i, i, JSON.stringify(entry));
  insert.run("alice", 20, 9, JSON.stringify({ name: "alice", contract_id: `${ID}9`, user: "dan" }));
  migrateDatabase(database, scanMigrations);
  const names = openNameRows(database);
  const list = () =>
    names.list({ from: "", end: null, now: 0n as never, limit: 9 }).map((json) => JSON.parse(json).user);
  expect(list()).toEqual(["dan", "alice", "bob", "carol"]);
  expect(names.findByName("alice")?.[1]).toBe(20n);
  expect(names.findByOwner("bob", 12n as never)?.[1]).toBe(12n);
  expect(names.findByOwner("bob", 13n as never)).toBeUndefined();
  const plan = database.prepare("explain query plan select json from name_entry where name = ?").get("a");
  expect(plan?.["detail"]).toMatch(/USING INDEX name_entry_name/);
  expect(() => insert.run("bob", 12, 2, JSON.stringify(entries[2]))).toThrow("UNIQUE");
});
