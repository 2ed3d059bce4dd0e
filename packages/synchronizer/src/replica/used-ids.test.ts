import type { DatabaseSync } from "node:sqlite";
import type { Time } from "@callsign/ledger";
import { bytesOfHex, inTransaction, migrateDatabase, openDatabase } from "@callsign/node";
import { expect, test } from "vitest";
import { CheckedRows, ReplicaDamaged } from "./checked-rows.ts";
import { replicaMigrations } from "./replica-schema.ts";
import { COMMANDS, LONG_COMMANDS, LONG_SUBMISSIONS, TEXT_COMMANDS, TEXT_SUBMISSIONS } from "./row-check.ts";
import { hashKey, UsedIdTexts, viewUsedIds } from "./used-id-texts.ts";
import { commandAccess, SHORT_IDS, submissionAccess } from "./used-ids.ts";

const at = (time: bigint) => time as Time;

function openReplicaTables() {
  const database = openDatabase(":memory:");
  migrateDatabase(database, replicaMigrations);
  return database;
}

const openSubmissions = (database: DatabaseSync) => submissionAccess(database, new UsedIdTexts(database));
const openCommands = (database: DatabaseSync) => commandAccess(database, new UsedIdTexts(database));

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
  expect(openSubmissions(database).read("alice/one")).toBe(7n);
  const commands = openCommands(database);
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
  rows.insert("one", "submission of one", 1n, hashKey("other"), null, null);
  const commands = openCommands(database);
  expect(commands.read("other")).toBeUndefined();
  commands.write("other", { submissionId: "submission of other", recordTime: at(2n) });
  expect(commands.read("other")).toEqual({ submissionId: "submission of other", recordTime: 2n });
  expect([...rows.list("order by record_time")].map((row) => row["key"])).toEqual(["one", "other"]);
});

test("an id that is used again has one row", () => {
  const database = openReplicaTables();
  const submissions = openSubmissions(database);
  submissions.write("alice/one", at(1n));
  submissions.write("alice/two", at(2n));
  submissions.write("alice/one", at(3n));
  expect(submissions.read("alice/one")).toBe(3n);
  expect(submissions.read("alice/two")).toBe(2n);
  expect(database.prepare("select count(*) as count from submission").get()).toEqual({ count: 2n });
});

test("an id that is looked for before each use has one row", () => {
  const database = openReplicaTables();
  const submissions = openSubmissions(database);
  for (const until of [1n, 2n, 3n]) {
    expect(submissions.read("alice/one")).toBe(until === 1n ? undefined : until - 1n);
    submissions.write("alice/one", at(until));
  }
  expect(database.prepare("select count(*) as count from submission").get()).toEqual({ count: 1n });
});

const PARTY = `alice::1220${"ab".repeat(32)}`;
const UUID = "f1216f44-3b22-4490-a6d3-5e3a7e822772";
const HASH = "1ebb69a9".repeat(8);

const commandOf = (id: string, ...parties: readonly string[]) => JSON.stringify(["user", id, ...parties]);

/** Ids as clients may choose them. */
const IDS = [
  ...[UUID, UUID.toUpperCase(), UUID.replaceAll("-", ""), `${UUID}0`, UUID.slice(1), `{${UUID}}`],
  ...[HASH, HASH.toUpperCase(), `${HASH}00`, HASH.slice(2), `0x${HASH}`, HASH.replace("e", "g")],
  ...[
    "",
    "0",
    "an id",
    "a/b",
    "$&",
    "$1",
    "naïve 🪙",
    "\u2028",
    'a"b',
    'a","b',
    "a\nb",
    "\\",
    "\0",
    "\u0001",
  ],
  ...["x".repeat(253), "x".repeat(254), "ü".repeat(127), HASH.repeat(10)],
];

test("ids of every kind come back as they were, the second time in few bytes", () => {
  const database = openReplicaTables();
  const [submissions, commands] = [openSubmissions(database), openCommands(database)];
  const keys = IDS.map((id) => [`alice/${id}`, commandOf(id, PARTY)] as const);
  for (const [i, [submission, command]] of keys.entries()) {
    submissions.write(submission, at(BigInt(i)));
    commands.write(command, { submissionId: IDS.at(-1 - i) ?? "", recordTime: at(BigInt(i)) });
  }
  for (const [i, [submission, command]] of keys.entries()) {
    expect(submissions.read(submission)).toBe(BigInt(i));
    expect(commands.read(command)).toEqual({ submissionId: IDS.at(-1 - i), recordTime: BigInt(i) });
  }
  viewUsedIds(database);
  const list = (view: string) => database.prepare(`select key from ${view}`).all();
  expect(list("used_submission")).toEqual(keys.map(([key]) => ({ key })));
  expect(list("used_command")).toEqual(keys.map(([, key]) => ({ key })));
  const short = database.prepare("select count(*) as rows from submission where key = ''");
  expect(short.get()).toEqual({ rows: BigInt(IDS.length - 4) });
});

test("a row in few bytes has the number of its frame, and the bytes of its ids", () => {
  const database = openReplicaTables();
  const commands = openCommands(database);
  for (const id of ["first", HASH])
    commands.write(commandOf(id, PARTY), { submissionId: UUID, recordTime: at(1n) });
  const [text, short] = database.prepare("select key, submission_id, frame, ids from command").all();
  expect(text).toEqual({ key: commandOf("first", PARTY), submission_id: UUID, frame: null, ids: null });
  const ids = bytesOfHex(`fe${HASH}ff${UUID.replaceAll("-", "")}`);
  expect(short).toEqual({ key: "", submission_id: "", frame: 1n, ids });
  expect(database.prepare("select text from key_frame").get()).toEqual({ text: `["user","\n","${PARTY}"]` });
});

test("keys that differ in the case of their digits are different keys", () => {
  const database = openReplicaTables();
  const submissions = openSubmissions(database);
  const names = ["first", UUID, HASH].map((id) => `alice/${id}`);
  for (const [i, name] of names.entries()) submissions.write(name, at(BigInt(i)));
  for (const name of names) {
    const upper = name.replace(/[0-9a-f-]+$/, (id) => id.toUpperCase());
    if (upper !== name) expect(submissions.read(upper)).toBeUndefined();
    expect(submissions.read(name.replace("alice", "Alice"))).toBeUndefined();
  }
  submissions.write(`alice/${UUID.toUpperCase()}`, at(7n));
  expect(submissions.read(`alice/${UUID}`)).toBe(1n);
  expect(submissions.read(`alice/${UUID.toUpperCase()}`)).toBe(7n);
});

test("an id in few bytes that is used again has one row", () => {
  const database = openReplicaTables();
  const submissions = openSubmissions(database);
  for (const id of ["first", UUID, "text", UUID, "first"]) submissions.write(`alice/${id}`, at(1n));
  submissions.write(`alice/${UUID}`, at(2n));
  expect(submissions.read(`alice/${UUID}`)).toBe(2n);
  expect(database.prepare("select count(*) as count from submission").get()).toEqual({ count: 3n });
});

test("texts of the release before are found, and stay as they are", () => {
  const database = openDatabase(":memory:");
  const migrations = replicaMigrations.migrations.slice(0, replicaMigrations.migrations.indexOf(SHORT_IDS));
  migrateDatabase(database, { ...replicaMigrations, migrations });
  const keys = ["one", UUID, HASH].map((id) => commandOf(id, PARTY));
  const former = new CheckedRows(database, TEXT_COMMANDS);
  for (const key of keys) former.insert(key, UUID, 5n, hashKey(key));
  new CheckedRows(database, TEXT_SUBMISSIONS).insert(`alice/${UUID}`, 5n, hashKey(`alice/${UUID}`));
  const before = database.prepare("select * from command").all();
  migrateDatabase(database, replicaMigrations);
  const commands = openCommands(database);
  for (const key of keys) expect(commands.read(key)).toEqual({ submissionId: UUID, recordTime: 5n });
  expect(openSubmissions(database).read(`alice/${UUID}`)).toBe(5n);
  const after = database.prepare("select * from command").all();
  expect(after).toEqual(before.map((row) => ({ ...row, frame: null, ids: null })));
  commands.write(keys[1] as string, { submissionId: "again", recordTime: at(6n) });
  expect(commands.read(keys[1] as string)).toEqual({ submissionId: "again", recordTime: 6n });
  expect(database.prepare("select count(*) as count from command").get()).toEqual({ count: 3n });
  database.exec("update command set submission_id = 'other' where record_time = 5");
  expect(() => commands.read(keys[0] as string)).toThrow(ReplicaDamaged);
});

test.each([
  [
    "a byte of the ids",
    "update command set ids = cast(substr(ids, 1, 3) || x'00' || substr(ids, 5) as blob)",
  ],
  ["the last byte of the ids", "update command set ids = cast(substr(ids, 1, 33) || x'00' as blob)"],
  ["ids that are cut off", "update command set ids = substr(ids, 1, 5)"],
  ["ids that are gone", "update command set ids = null, frame = null"],
  ["another frame", "update command set frame = 2"],
  ["a frame", "update key_frame set text = replace(text, 'alice', 'malice')"],
  ["a frame that is gone", "delete from key_frame"],
  [
    "a frame in the place of another",
    "delete from key_frame where id = 1; update key_frame set id = 1, row_check = row_check",
  ],
])("changed bytes are told as damage of the replica: %s", (_, statement) => {
  const database = openReplicaTables();
  const before = openCommands(database);
  const keys = [PARTY, "bob"].flatMap((party) => ["first", UUID].map((id) => commandOf(id, party)));
  for (const key of keys) before.write(key, { submissionId: UUID, recordTime: at(1n) });
  database.exec(statement);
  const commands = openCommands(database);
  expect(() => commands.read(commandOf(UUID, PARTY))).toThrow(ReplicaDamaged);
  expect(commands.read(commandOf("second", PARTY))).toBeUndefined();
});

test("a number that another frame has got is told as damage", () => {
  const database = openReplicaTables();
  const before = openCommands(database);
  for (const id of ["first", UUID])
    before.write(commandOf(id, PARTY), { submissionId: "", recordTime: at(1n) });
  database.exec("delete from key_frame");
  const commands = openCommands(database);
  for (const id of ["first", "second"])
    commands.write(commandOf(id, "bob"), { submissionId: "", recordTime: at(1n) });
  expect(() => commands.read(commandOf(UUID, PARTY))).toThrow("has another hash than its own");
});

test("after a rollback frames get their numbers anew", () => {
  const database = openReplicaTables();
  const texts = new UsedIdTexts(database);
  const submissions = submissionAccess(database, texts);
  const write = (name: string) => {
    for (const id of ["first", UUID]) submissions.write(`${name}/${id}`, at(1n));
    expect(submissions.read(`${name}/${UUID}`)).toBe(1n);
  };
  const failing = () =>
    inTransaction(database, () => {
      write("alice");
      throw new Error("the disk is full");
    });
  expect(failing).toThrow("the disk is full");
  texts.reload();
  for (const name of ["bob", "alice"]) write(name);
  expect(database.prepare("select text from key_frame order by id").all()).toEqual([
    { text: "bob/\n" },
    { text: "alice/\n" },
  ]);
});
