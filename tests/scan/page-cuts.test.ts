/** Rows that wait for the end of a page are the same however the log is cut into pages. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { SCAN_CHECKED_TABLES } from "../../packages/scan/src/rows/history-tables.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { walkRows } from "../support/walk-rows.ts";
import { appendAll, cutIntoBatches } from "../synchronizer/log-entries.ts";
import { openScanReplica } from "./scan-replica.ts";

/** Updates that are committed together are packed together: what the blocks have in them is compared. */
const BLOCKS = "update_block";

/** The rows of a replica that is fed so many entries at a time, by table. */
async function replicate(entriesAtOnce: number): Promise<ReadonlyMap<string, readonly object[]>> {
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
  const tables = SCAN_CHECKED_TABLES.filter(({ table }) => table !== BLOCKS).map(({ table }) => table);
  const sums = list("row_sum").filter(({ name }) => name !== BLOCKS);
  const updates = node.index.updates.listAfter({
    after: -(2n ** 63n),
    until: node.index.now,
    limit: 100_000,
  });
  return new Map<string, readonly object[]>([
    ...tables.map((table) => [table, list(table)] as const),
    ...[["row_sum", sums] as const, ["updates", updates] as const],
  ]);
}

test("an index has the same rows after pages of one entry and after long ones", async () => {
  const [one, many] = [await replicate(1), await replicate(100)];
  for (const table of ["holding", "acs_contract", "updates"]) expect(one.get(table)).not.toEqual([]);
  expect(many).toEqual(one);
});
