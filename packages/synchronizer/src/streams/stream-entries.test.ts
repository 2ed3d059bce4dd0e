import type { DatabaseSync } from "node:sqlite";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { beforeEach, expect, test } from "vitest";
import { PACKED_CHARACTERS, PACKED_ENTRIES } from "../limits/limits.ts";
import { MadeEntry, packTogether } from "./made-entry.ts";
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

test("the same entries are packed once, and others again", () => {
  const [one, two, three] = [made(1), made(2), made(3)];
  const packed = packTogether([one, two, three]);
  expect(packTogether([one, two, three])).toBe(packed);
  expect(packTogether([two, three])).not.toEqual(packed);
  expect(packTogether([one, made(2), three])).not.toBe(packed);
});
