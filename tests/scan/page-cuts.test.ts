/** Rows that wait for the end of a page are the same however the log is cut into pages. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { SCAN_CHECKED_TABLES } from "../../packages/scan/src/rows/history-tables.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { walkRows } from "../support/walk-rows.ts";
import { appendAll, cutIntoBatches } from "../synchronizer/log-entries.ts";
import { openScanReplica } from "./scan-replica.ts";

/** The rows of a replica that is fed so many entries at a time, by table. */
async function replicate(entriesAtOnce: number): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const log = new SqliteLog(":memory:", systemHost);
  const node = openScanReplica(log, ":memory:");
  onTestFinished(async () => {
    node.close();
    await log.close();
  });
  for (const batch of cutIntoBatches(readGoldenLog().log, entriesAtOnce)) {
    await appendAll(log, [batch]);
    await node.catchUp();
  }
  await walkRows(node);
  const { database } = node.index.state;
  const list = (table: string) => database.prepare(`select * from ${table} order by 1, 2`).all();
  return new Map([...SCAN_CHECKED_TABLES, { table: "row_sum" }].map(({ table }) => [table, list(table)]));
}

test("an index has the same rows after pages of one entry and after long ones", async () => {
  const [one, many] = [await replicate(1), await replicate(100)];
  for (const table of ["holding", "acs_contract"]) expect(one.get(table)).not.toEqual([]);
  expect(many).toEqual(one);
});
