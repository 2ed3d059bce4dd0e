import type { DatabaseSync } from "node:sqlite";
import { compressText, inTransaction, migrateDatabase, openDatabase, sha256 } from "@callsign/node";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { PACKED_CHARACTERS, PACKED_ENTRIES } from "../limits/limits.ts";
import { openCheckedDictionaries } from "../replica/checked-dictionaries.ts";
import { ReplicaDamaged } from "../replica/checked-rows.ts";
import { joinLines, packLines } from "../replica/line-blocks.ts";
import { MadeEntry } from "./made-entry.ts";
import { STREAM_DICTIONARIES, unpackEntries } from "./packed-entries.ts";
import { StreamEntries } from "./stream-entries.ts";
import { streamMigrations } from "./stream-schema.ts";

let database: DatabaseSync;
let entries: StreamEntries;

beforeEach(() => {
  database = openDatabase(":memory:");
  migrateDatabase(database, streamMigrations);
  entries = new StreamEntries(database);
  return () => database.close();
});

/** An entry with a party that moves to a member, so that its text has about this length. */
function made(sequence: number, length = 100): MadeEntry {
  const rehosted = [{ party: `${sequence}\n`.padEnd(length, "x"), hosts: ["alice"], former: [] }];
  const recordTime = `${1000 + sequence}`;
  return new MadeEntry(sequence, { recordTime, completion: null, update: null, hosts: [], rehosted });
}

const rows = () => database.prepare("select sequence, record_time from stream_entry").all();
const bodyOf = (sequence: number) => new StreamEntries(database).bodyOf(BigInt(sequence), "alice");

test("entries share a row under the last of them, and each is read from it", () => {
  for (const sequence of [3, 4, 11]) entries.add(made(sequence));
  expect(rows()).toEqual([]);
  entries.save();
  entries.add(made(12));
  entries.save();
  entries.save();
  expect(rows()).toEqual([
    { sequence: 11n, record_time: 1011n },
    { sequence: 12n, record_time: 1012n },
  ]);
  for (const sequence of [3, 4, 11, 12]) {
    const { hostings, recordTime } = JSON.parse(bodyOf(sequence));
    expect([recordTime, hostings[0].party.split("\n")[0]]).toEqual([`${1000 + sequence}`, `${sequence}`]);
  }
  for (const sequence of [1, 2, 10, 13])
    expect(() => bodyOf(sequence)).toThrow(`the entry ${sequence} of the streams is missing`);
});

test("a row that is long enough is written at once", () => {
  for (const sequence of [1, 2, 3, 4]) entries.add(made(sequence, PACKED_CHARACTERS / 2));
  expect(rows()).toMatchObject([{ sequence: 2n }, { sequence: 4n }]);
});

test("replicas that commit at different entries begin new rows at the same ones", () => {
  const begin = PACKED_ENTRIES;
  for (const sequence of [begin - 2, begin - 1, begin, begin + 5, 2 * begin + 1]) entries.add(made(sequence));
  entries.save();
  expect(rows().map((row) => Number(row["sequence"]))).toEqual([begin - 1, begin + 5, 2 * begin + 1]);
});

test("an entry is read while it waits, and from its row afterwards", () => {
  entries.add(made(7));
  const waiting = entries.bodyOf(7n, "alice");
  expect(rows()).toEqual([]);
  expect(() => entries.bodyOf(8n, "alice")).toThrow("the entry 8 of the streams is missing");
  entries.save();
  expect(bodyOf(7)).toBe(waiting);
});

test("entries of a transaction that is rolled back are not written", () => {
  entries.add(made(1));
  entries.reload();
  entries.add(made(2));
  entries.save();
  expect(rows()).toMatchObject([{ sequence: 2n }]);
  expect(() => bodyOf(1)).toThrow("missing");
});

/** Enough entries for a dictionary, in a row each. */
function addMany(to: StreamEntries, many: readonly MadeEntry[]): void {
  for (const each of many) {
    to.add(each);
    to.save();
  }
}

const many = (from = 1) => Array.from({ length: 70 }, (_, i) => made(from + i));

function openMemory(): DatabaseSync {
  const other = openDatabase(":memory:");
  onTestFinished(() => other.close());
  migrateDatabase(other, streamMigrations);
  return other;
}

const dictionariesOf = (from: DatabaseSync) => openCheckedDictionaries(from, STREAM_DICTIONARIES);

test("replicas that have the same dictionary pack the same entries once", () => {
  const [one, two] = [dictionariesOf(database), dictionariesOf(openMemory())];
  for (const each of many()) expect(packLines(one, [each])).toBe(packLines(two, [each]));
  const [first, second, third] = [made(101), made(102), made(103)];
  const packed = packLines(one, [first, second, third]);
  expect(packLines(two, [first, second, third])).toBe(packed);
  const other = dictionariesOf(openMemory());
  for (const each of many(200)) packLines(other, [each]);
  const own = packLines(other, [first, second, third]);
  expect(own).not.toEqual(packed);
  for (const [texts, bytes] of [
    [other, own],
    [one, packed],
  ] as const)
    expect(unpackEntries(texts, bytes, 103n).find(102n)).toEqual(JSON.parse(second.text));
  packLines(one, [first, second, third]);
  expect(packLines(two, [second, third])).not.toEqual(packed);
  packLines(one, [first, second, third]);
  expect(packLines(two, [first, made(102, 200), third])).not.toEqual(packed);
});

test("an entry alone takes a fraction of its characters once there is a dictionary", () => {
  const dictionaries = dictionariesOf(database);
  const party = `alice::1220${sha256("alice")}`;
  const sizes = Array.from({ length: 70 }, (_, number) => {
    const shared = {
      nodeId: 0,
      contractId: `${number}`,
      signatories: [party],
      observers: [],
      acsDelta: true,
    };
    const event = { ...shared, witnesses: [party], payload: "", createdAt: `${number}` };
    const events = [{ kind: "created" as const, templateId: `Coin${number % 2}`, ...event }];
    const update = { updateId: "", ledgerTime: `${number}`, events };
    const hosts = [[party, ["alice"]]] as const;
    const recordTime = `${number}`;
    const entry = new MadeEntry(number, { recordTime, completion: null, update, hosts, rehosted: [] });
    return packLines(dictionaries, [entry]).length / entry.text.length;
  });
  expect(Math.min(...sizes.slice(0, 63))).toBeGreaterThan(0.3);
  expect(Math.max(...sizes.slice(63))).toBeLessThan(0.15);
});

test.each([[[90_000]], [[100, 90_000]], [[63_000, 32_500]]])(
  "a long row of %j characters is read",
  (lengths) => {
    addMany(entries, many());
    for (const [i, length] of lengths.entries()) entries.add(made(101 + i, length));
    entries.save();
    for (const [i, length] of lengths.entries()) {
      const { hostings } = JSON.parse(bodyOf(101 + i));
      expect(hostings).toEqual([{ party: `${101 + i}\n`.padEnd(length, "x"), hosted: true }]);
    }
  },
);

test("after a rollback the dictionary is made anew", () => {
  const all = many();
  const failing = () =>
    inTransaction(database, () => {
      addMany(entries, all);
      throw new Error("the disk is full");
    });
  expect(failing).toThrow("the disk is full");
  entries.reload();
  inTransaction(database, () => addMany(entries, all));
  for (const { sequence } of all) expect(JSON.parse(bodyOf(sequence)).recordTime).toBe(`${1000 + sequence}`);
});

const FLIPPED = "cast(substr(packed, 1, 20) || x'00ff00' || substr(packed, 24) as blob)";

test.each([
  ["a packed row", `update stream_entry set packed = ${FLIPPED} where sequence > 60`],
  [
    "a compressed row of an earlier release",
    `update stream_entry set packed = ${FLIPPED} where sequence = 0`,
  ],
  ["a row that is cut off", "update stream_entry set packed = substr(packed, 1, 5) where sequence > 60"],
  ["a dictionary", "update stream_dictionary set body = 'another'"],
  ["a dictionary that is gone", "delete from stream_dictionary"],
])("bytes that have changed are told as damage of the replica: %s", (name, statement) => {
  const old = compressText(joinLines([made(0)]));
  database.prepare("insert into stream_entry values (0, 1000, ?)").run(old);
  addMany(entries, many());
  expect(JSON.parse(bodyOf(0)).recordTime).toBe("1000");
  database.exec(statement);
  const damaged = name.includes("earlier") ? 0 : 70;
  expect(() => bodyOf(damaged)).toThrow(ReplicaDamaged);
  // Rows from before the first dictionary are read without it.
  expect(JSON.parse(bodyOf(1)).recordTime).toBe("1001");
});
