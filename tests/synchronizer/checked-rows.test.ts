/** Rows of a replica that have changed on disk are found by their first reader. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ReplicaDamaged } from "../../packages/synchronizer/src/replica/checked-rows.ts";
import { exportState } from "../../packages/synchronizer/src/replica/export-state.ts";
import {
  CHECKED_TABLES,
  type CheckedTableName,
  KEY_HASH,
} from "../../packages/synchronizer/src/replica/row-check.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { USED_KEY, viewUsedIds } from "../../packages/synchronizer/src/replica/used-id-texts.ts";
import { scrubRows } from "../../packages/synchronizer/src/scrub/scrub-rows.ts";
import { BACKED_TIME, readGoldenLog } from "../golden-log/golden-file.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";
import { openStreamReplica } from "./stream-replica.ts";

const transition = newTransition();
const log = new SqliteLog(":memory:", systemHost);
afterAll(() => log.close());
/** A replica at the end of the log, and one with half of the log before it. */
let atEnd: string;
let halfway: string;

async function makeReplica(): Promise<string> {
  const file = join(temporaryFolder(afterAll), "replica.db");
  const node = openStreamReplica({ log, file, transition });
  await node.catchUp();
  node.close();
  return file;
}

beforeAll(async () => {
  const batches = cutIntoBatches(readGoldenLog(BACKED_TIME).log, 20);
  const half = Math.ceil(batches.length / 2);
  await appendAll(log, batches.slice(0, half));
  halfway = await makeReplica();
  await appendAll(log, batches.slice(half));
  atEnd = await makeReplica();
});

interface DamagedRow {
  readonly file: string;
  readonly key: string;
  readonly row: () => unknown;
}

/** The SQL of the key that a row is read by, and of a column that finds it. Of used ids, only rows in few bytes. */
function describeRows(table: CheckedTableName) {
  if (table === "submission" || table === "command")
    return { key: USED_KEY, place: "ids", where: "where frame is not null" };
  const [key = ""] = CHECKED_TABLES.flatMap((each) => (each.table === table ? each.columns : []));
  return { key, place: key, where: "" };
}

/** A copy of a replica with one bit flipped in a column of one row, or of more. */
function damage(replica: string, table: CheckedTableName, column: string, most = 1): DamagedRow {
  const file = join(temporaryFolder(), "replica.db");
  copyFileSync(replica, file);
  const database = openDatabase(file);
  if (table === "submission" || table === "command") viewUsedIds(database);
  const { key, place, where } = describeRows(table);
  const rows = database
    .prepare(`select ${key} as key, ${place} as place, ${column} as value from ${table} ${where} limit +?`)
    .all(most);
  expect(rows).not.toEqual([]);
  const save = database.prepare(`update ${table} set ${column} = ? where ${place} = ?`);
  for (const row of rows)
    save.run(flipBit(row["value"] as string | bigint | Uint8Array), row["place"] as string);
  database.close();
  const [first] = rows;
  return {
    ...{ file, key: first?.["key"] as string },
    row: () => readRow(file, `select * from ${table} where ${place} = ?`, first?.["place"] as string),
  };
}

function readRow(file: string, select: string, key: string): unknown {
  const database = openDatabase(file);
  try {
    return database.prepare(select).get(key);
  } finally {
    database.close();
  }
}

function flipBit(value: string | bigint | Uint8Array): string | bigint | Uint8Array {
  if (typeof value === "bigint") return value ^ 1n;
  if (value instanceof Uint8Array) return value.with(1, (value[1] as number) ^ 1);
  const middle = Math.floor(value.length / 2);
  const flipped = String.fromCharCode(value.charCodeAt(middle) ^ 1);
  return `${value.slice(0, middle)}${flipped}${value.slice(middle + 1)}`;
}

function openState(file: string): SqliteState {
  const database: DatabaseSync = openDatabase(file);
  onTestFinished(() => database.close());
  return new SqliteState(database);
}

/** Tests of scan's index, of packed contracts and of used ids have them. */
const OTHERS = ["consumer_kind", "row_sum", "contract_dictionary", "key_frame"] as const;

type Other = (typeof OTHERS)[number];

function isOther(table: CheckedTableName): table is Other {
  return (OTHERS as readonly CheckedTableName[]).includes(table);
}

/** The first read of each kind of row, behind the opening of the state, which reads some. */
const READS: Readonly<
  Record<Exclude<CheckedTableName, Other>, (state: SqliteState, key: string) => unknown>
> = {
  head: ({ head }) => head,
  network: ({ network }) => network,
  template: () => null,
  member: (state, key) => state.findMember(key),
  traffic: (state, key) => state.findTraffic(key),
  hosting: (state, key) => state.findHosting(key as PartyId),
  stamp: (state, key) => state.findStamp(key),
  submission: (state, key) => state.findSubmission(key),
  command: (state, key) => state.findAcceptedCommand(key),
  sv_set: (state, key) => state.findSvSet(BigInt(key)),
  state_snapshot: (state, key) => (key === "agreed" ? state.findAgreedSnapshot() : state.findSnapshot(key)),
  day: ({ days }, key) => days.findLast({ day: BigInt(key), sequence: 1_000_000 }),
};

/** Without those by which a row is found. */
const COLUMNS = CHECKED_TABLES.flatMap(({ table, columns }) =>
  isOther(table)
    ? []
    : [...columns.slice(1).filter((column) => column !== KEY_HASH), "row_check"].map(
        (column) => [table, column] as const,
      ),
);

test.each(COLUMNS)("%s: a flipped bit in %s is not read", (table, column) => {
  const { file, key } = damage(atEnd, table, column);
  const read = () => READS[table](openState(file), key);
  expect(read).toThrow(ReplicaDamaged);
  const row = describeRows(table).place === "ids" ? "" : `the row ${key} `;
  expect(read).toThrow(`${row}of the table ${table} has another check than its own`);
});

test.each([
  ["member", "body"],
  ["traffic", "body"],
  ["stamp", "stamped_at"],
] as const)(
  "%s: an entry that needs a damaged row is not applied, and the row stays as it is",
  async (table, column) => {
    const { file, row } = damage(halfway, table, column, 1000);
    const before = row();
    const node = openStreamReplica({ log, file, transition });
    onTestFinished(() => node.close());
    const { head } = node.replica.state;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(node.catchUp()).rejects.toThrow(`of the table ${table} has another check than its own`);
    expect(node.replica.state.head).toEqual(head);
    expect(row()).toEqual(before);
  },
);

test.each([
  ["member", "body"],
  ["traffic", "body"],
  ["hosting", "hosts"],
  ["command", "submission_id"],
] as const)("%s: a damaged row is not carried over into another log", (table, column) => {
  const history = { rounds: () => [], rewards: () => [] };
  const parts = (file: string) => [...exportState(openState(file), history)];
  expect(parts(atEnd)).not.toEqual([]);
  expect(() => parts(damage(atEnd, table, column, 1000).file)).toThrow(
    `of the table ${table} has another check`,
  );
});

test.each(["submission", "command"])("%s: the scrub finds that a frame is gone", async (table) => {
  const file = join(temporaryFolder(), "replica.db");
  copyFileSync(atEnd, file);
  const state = openState(file);
  const part = scrubRows(state, []).find(({ name }) => name === `rows of ${table}`);
  const { signal } = new AbortController();
  expect(await part?.check("", signal)).toMatchObject({ rows: expect.any(Number) });
  state.database.exec("delete from key_frame");
  state.reload();
  expect(() => part?.check("", signal)).toThrow("the table key_frame has lost");
});

test("lists of accounts and parties leave no damaged row out", () => {
  const accounts = openState(damage(atEnd, "traffic", "body").file);
  expect(() => accounts.listTraffic(1000)).toThrow("of the table traffic has another check");
  const parties = openState(damage(atEnd, "hosting", "serial").file);
  const page = { after: "", prefix: "", limit: 1000 };
  expect(() => parties.listParties(page)).toThrow("of the table hosting has another check");
});
