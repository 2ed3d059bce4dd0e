import type { Time } from "@callsign/ledger";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { expect, test } from "vitest";
import { CheckedRows, ReplicaDamaged } from "./checked-rows.ts";
import { replicaMigrations } from "./replica-schema.ts";
import { COMMANDS, LONG_COMMANDS, LONG_SUBMISSIONS } from "./row-check.ts";
import { commandAccess, hashKey, submissionAccess } from "./used-ids.ts";

const at = (time: bigint) => time as Time;

function openReplicaTables() {
  const database = openDatabase(":memory:");
  migrateDatabase(database, replicaMigrations);
  return database;
}

/** A database of the release before ids had hashes, with a submission and two commands. */
function openEarlier() {
  const database = openDatabase(":memory:");
  const migrations = replicaMigrations.migrations.slice(0, 6);
  migrateDatabase(database, { ...replicaMigrations, migrations });
  new CheckedRows(database, LONG_SUBMISSIONS).insert("alice/one", 7n);
  const commands = new CheckedRows(database, LONG_COMMANDS);
  commands.insert('["user","first","alice::1220"]', "one", 5n);
  commands.insert('["user","second","alice::1220"]', "two", 6n);
  return database;
}

test("ids of an earlier release are found by their hashes", () => {
  const database = openEarlier();
  migrateDatabase(database, replicaMigrations);
  expect(submissionAccess(database).read("alice/one")).toBe(7n);
  const commands = commandAccess(database);
  expect(commands.read('["user","first","alice::1220"]')).toEqual({ submissionId: "one", recordTime: 5n });
  expect(commands.read('["user","second","alice::1220"]')).toEqual({ submissionId: "two", recordTime: 6n });
  expect(commands.read('["user","third","alice::1220"]')).toBeUndefined();
  const tables = database.prepare("select name from sqlite_schema where name like 'long%'").all();
  expect(tables).toEqual([]);
});

test("an id of an earlier release that has changed on disk is not taken over", () => {
  const database = openEarlier();
  database.exec("update command set submission_id = 'other' where record_time = 6");
  expect(() => migrateDatabase(database, replicaMigrations)).toThrow(ReplicaDamaged);
});

test("ids that share a hash are told apart", () => {
  const database = openReplicaTables();
  const rows = new CheckedRows(database, COMMANDS);
  rows.insert("one", "submission of one", 1n, hashKey("other"));
  const commands = commandAccess(database);
  expect(commands.read("other")).toBeUndefined();
  commands.write("other", { submissionId: "submission of other", recordTime: at(2n) });
  expect(commands.read("other")).toEqual({ submissionId: "submission of other", recordTime: 2n });
  expect([...rows.list("order by record_time")].map((row) => row["key"])).toEqual(["one", "other"]);
});

test("an id that is used again has one row", () => {
  const database = openReplicaTables();
  const submissions = submissionAccess(database);
  submissions.write("alice/one", at(1n));
  submissions.write("alice/two", at(2n));
  submissions.write("alice/one", at(3n));
  expect(submissions.read("alice/one")).toBe(3n);
  expect(submissions.read("alice/two")).toBe(2n);
  expect(database.prepare("select count(*) as count from submission").get()).toEqual({ count: 2n });
});
