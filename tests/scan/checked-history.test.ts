/** Rows of scan's history that have changed on disk, or are gone, are found by the scrub, and most by their readers. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { systemHost } from "@callsign/node";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  ACTIVITY_CHECKED_TABLES,
  BLOCK_CHECKED_TABLES,
  FORMER_CHECKED_TABLES,
  ROUND_TOTAL_TABLES,
  SCAN_CHECKED_TABLES,
} from "../../packages/scan/src/rows/history-tables.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { walkRows } from "../support/walk-rows.ts";
import { appendAll, cutIntoBatches } from "../synchronizer/log-entries.ts";
import { openScanReplica } from "./scan-replica.ts";

const log = new SqliteLog(":memory:", systemHost);
afterAll(() => log.close());
let sound: string;
let rows: number;

beforeAll(async () => {
  await appendAll(log, cutIntoBatches(readGoldenLog().log, 50));
  sound = join(temporaryFolder(afterAll), "replica.db");
  const node = openScanReplica(log, sound);
  await node.catchUp();
  rows = await walkRows(node);
  node.close();
});

/** The replica's file after a change. */
function change(how: (database: DatabaseSync) => void): string {
  const file = join(temporaryFolder(), "replica.db");
  copyFileSync(sound, file);
  const database = openDatabase(file);
  how(database);
  database.close();
  return file;
}

function open(file: string) {
  const node = openScanReplica(log, file);
  onTestFinished(() => node.close());
  return node;
}

function flipBit(value: SQLOutputValue): SQLOutputValue {
  if (value === null) return null;
  if (typeof value === "bigint") return value ^ (1n << 40n);
  const bytes = Buffer.from(value as string | Uint8Array);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return typeof value === "string" ? bytes.toString() : bytes;
}

/** Flips a bit in a column of the first row that has a value there. False if none has. */
function flip(database: DatabaseSync, table: string, column: string): boolean {
  database.exec("pragma ignore_check_constraints = on");
  const where = `${column} is not null and ${column} not in ('', x'')`;
  const row = database.prepare(`select * from ${table} where ${where} order by 1 limit 1`).get();
  if (row === undefined) return false;
  const names = Object.keys(row);
  const isRow = names.map((name) => `${name} is ?`).join(" and ");
  const save = database.prepare(`update ${table} set ${column} = ? where ${isRow}`);
  const { changes } = save.run(flipBit(row[column] ?? null), ...names.map((name) => row[name] ?? null));
  expect([table, column, changes]).toEqual([table, column, 1n]);
  return true;
}

/** The log has no transfer command and no contract of another network, ids are bytes, texts of updates are in blocks, nobody reads beside the replica. */
const EMPTY = [
  ...["transfer_command", "changed_keys", "acs_contract payload", "acs_contract contract_id"],
  "update_history body",
];

const TABLES = SCAN_CHECKED_TABLES.filter(({ table }) => !EMPTY.includes(table));

test.each(TABLES)("$table: a flipped bit in any column is found by the scrub", async ({ table, columns }) => {
  const node = open(change(() => undefined));
  for (const column of [...columns, "row_check"]) {
    node.database.exec("begin");
    const isFlipped = flip(node.database, table, column);
    expect([column, isFlipped]).toEqual([column, !EMPTY.includes(`${table} ${column}`)]);
    if (isFlipped)
      await expect(walkRows(node, { table })).rejects.toThrow(
        `of the table ${table} has another check than its own`,
      );
    node.database.exec("rollback");
  }
  expect(await walkRows(node, { table })).toBeGreaterThan(0);
});

test("a lost row of any table is found by the scrub", async () => {
  const node = open(change(() => undefined));
  for (const { table, columns } of TABLES) {
    node.database.exec("begin");
    node.database.exec(
      `delete from ${table} where ${columns[0]} = (select min(${columns[0]}) from ${table})`,
    );
    await expect(walkRows(node, { table })).rejects.toThrow(`the table ${table} lacks a row`);
    node.database.exec("rollback");
  }
});

test("a lost or changed sum is found as well", async () => {
  const lost = change((database) => database.exec("delete from row_sum where name = 'name_change'"));
  await expect(walkRows(open(lost))).rejects.toThrow("the table name_change lacks a row");
  const changed = change((database) => database.exec("update row_sum set sum = sum + 1"));
  await expect(walkRows(open(changed))).rejects.toThrow("of the table row_sum has another check");
});

test("a changed record of the kinds that scan has is found when it starts", () => {
  const file = change((database) =>
    database.exec("update consumer_kind set backfill = 2 where consumer = 'scan'"),
  );
  expect(() => openScanReplica(log, file)).toThrow("of the table consumer_kind has another check");
});

test("the walk agrees with the sums while rows come and go", async () => {
  const node = open(":memory:");
  const { sequence } = await log.head();
  let reached = 100;
  await node.catchUp(reached);
  const betweenPages = async () => {
    reached = Math.min(reached + 5, sequence);
    await node.catchUp(reached);
  };
  while (reached < sequence) await walkRows(node, { betweenPages });
  expect(await walkRows(node)).toBe(rows);
});

test("an index whose rows have no checks yet gets them, and its sums", async () => {
  let dropped = 0;
  const file = change((database) => {
    database.exec("update acs_contract set contract_id = lower(hex(id_bytes))");
    database.exec("alter table acs_contract drop column id_bytes");
    for (const { table } of FORMER_CHECKED_TABLES)
      database.exec(`alter table ${table} drop column row_check`);
    for (const { table } of [...ROUND_TOTAL_TABLES, ...ACTIVITY_CHECKED_TABLES, ...BLOCK_CHECKED_TABLES]) {
      dropped += Number(database.prepare(`select count(*) as rows from ${table}`).get()?.["rows"]);
      database.exec(`drop table ${table}`);
    }
    database.exec("delete from row_sum; update store_version set version = 9 where store = 'scan'");
  });
  expect(await walkRows(open(file))).toBe(rows - dropped);
});

test("damaged rows of history are not answered", () => {
  const { index, database } = open(change(() => undefined));
  const { updates, nameChanges, holdings, openedRounds } = index;
  const beginning = -(2n ** 63n);
  const reads: readonly (readonly [string, string, () => unknown])[] = [
    // First: a block stays in memory once it was read.
    ["update_block", "packed", () => updates.listAfter({ after: beginning, until: index.now, limit: 1 })],
    [
      "update_history",
      "update_id",
      () => updates.listAfter({ after: beginning, until: index.now, limit: 1 }),
    ],
    [
      "update_dictionary",
      "body",
      () => updates.listAfter({ after: beginning, until: index.now, limit: 100_000 }),
    ],
    ["name_change", "owner", () => nameChanges.list({ name: null, owner: null, after: 0n, limit: 1 })],
    ["holding_snapshot", "supply", () => holdings.findSnapshotAfter(beginning as Time)],
    ["opened_round", "transfer_config", () => openedRounds.findConfig(openedRounds.findFirst() ?? -1n)],
  ];
  for (const [table, column, read] of reads) {
    database.exec("begin");
    flip(database, table, column);
    expect(read).toThrow(`of the table ${table} has another check`);
    database.exec("rollback");
    expect(read()).toBeTruthy();
  }
});
