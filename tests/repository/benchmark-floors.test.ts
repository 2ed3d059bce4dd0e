// Floors of benchmarks insert rows by themselves: they have to fit the tables of today.
import { join } from "node:path";
import { openDatabase, sha256 } from "@callsign/node";
import { MemberStreams, SqliteState } from "@callsign/synchronizer";
import { expect, test } from "vitest";
import { BATCH } from "../../bench/ledger-log/cut-into-batches.ts";
import { measureBareCommits } from "../../bench/participant-load/measure-submissions.ts";
import { BareInserts } from "../../bench/replica-load/bare-inserts.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

test("the floor of a replica inserts the rows of transfers", () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, "replica.db"));
  new MemberStreams(new SqliteState(database), sha256);
  database.close();
  const floor = new BareInserts(folder);
  floor.insert(BATCH);
  floor.close();
  const again = openDatabase(join(folder, "bare.db"));
  const count = (table: string) => again.prepare(`select count(*) as rows from ${table}`).get()?.["rows"];
  expect(["contract", "contract_body", "stream_item", "submission", "command"].map(count)).toEqual([
    ...[BATCH * 2, BATCH * 2, BATCH, BATCH, BATCH].map(BigInt),
  ]);
  again.close();
});

test("the floor of a participant inserts the rows of submissions", async () => {
  expect(await measureBareCommits(temporaryFolder(), 3)).toBeGreaterThan(0);
});
