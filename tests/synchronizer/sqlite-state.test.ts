import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { tellGoldenStory } from "../golden-log/golden-story.ts";
import { cutIntoBatches, EMPTY } from "./log-entries.ts";
import { Oracle } from "./oracle.ts";
import { simulatedLog } from "./simulated-log.ts";
import { openStreamReplica } from "./stream-replica.ts";

const logs: readonly (readonly [string, () => readonly LogEntry[]])[] = [
  ["the golden log", () => readGoldenLog().log],
  ["another golden story", () => tellGoldenStory(7)],
  ...[1, 4, 9, 15].map((seed) => [`the world of seed ${seed}`, () => simulatedLog(seed, 120)] as const),
];

describe("a replica on SQLite answers as the state in memory does", () => {
  test.each(logs)("after every batch of %s, and when it is opened again", async (_name, makeLog) => {
    const entries = makeLog();
    const folder = temporaryFolder();
    const file = join(folder, "replica.db");
    const log = new SqliteLog(join(folder, "log.db"), systemHost);
    const node = openStreamReplica({ log, file });
    onTestFinished(async () => {
      node.close();
      await log.close();
    });
    const oracle = new Oracle();
    const digests: string[] = [];
    node.replica.onApplied((outcomes) => digests.push(...outcomes.map(({ head }) => head.digest)));
    for (const batch of cutIntoBatches(entries, 37)) {
      await log.append(batch);
      await node.catchUp();
      oracle.apply(entries.slice(batch.after.sequence, batch.head.sequence));
      oracle.compare(node.replica.state);
    }
    expect(digests).toEqual(oracle.heads.map(({ digest }) => digest));
    const again = openDatabase(file);
    oracle.compare(new SqliteState(again));
    const { count } = again.prepare("select count(*) as count from contract").get() ?? {};
    expect(count).toBe(BigInt(oracle.state.contracts.size));
    again.close();
  });

  test("the golden log gives its digest", async () => {
    const { log: entries, expected } = readGoldenLog();
    const log = new SqliteLog(join(temporaryFolder(), "log.db"), systemHost);
    for (const batch of cutIntoBatches(entries, 200)) await log.append(batch);
    const node = openStreamReplica({ log });
    await node.catchUp();
    expect(node.replica.state.head.digest).toBe(expected.final);
    expect(node.replica.state.head.sequence).toBe(expected.entries);
    node.close();
    await log.close();
  });
});

describe("an empty state", () => {
  test("stands before the first entry and knows nothing", () => {
    const state = new SqliteState(openDatabase(":memory:"));
    expect(state.head).toMatchObject(EMPTY);
    expect(state.network).toBeNull();
    expect(state.findContract("00" as ContractId)).toBeUndefined();
    expect(state.findMember("nobody")).toBeUndefined();
    expect(state.findHosting("nobody" as PartyId)).toBeUndefined();
    expect(state.findTraffic("nobody")).toBeUndefined();
    expect(state.findSubmission("none")).toBeUndefined();
    expect(state.findAcceptedCommand("none")).toBeUndefined();
  });
});

describe("ids and commands that no longer count", () => {
  test("is forgotten: submission ids after their latest time, commands after a week", async () => {
    const { log: entries } = readGoldenLog();
    const log = new SqliteLog(join(temporaryFolder(), "log.db"), systemHost);
    for (const batch of cutIntoBatches(entries, 50)) await log.append(batch);
    const node = openStreamReplica({ log });
    await node.catchUp();
    const { recordTime } = node.replica.state.head;
    const oldest = (table: string, column: string) =>
      node.database.prepare(`select min(${column}) as oldest, count(*) as count from ${table}`).get();
    const submissions = oldest("submission", "until");
    const commands = oldest("command", "record_time");
    // The story ends with a jump of 120 days and what the SVs settle after it.
    expect(Number(submissions?.["count"])).toBeGreaterThan(0);
    expect(submissions?.["oldest"]).toBeGreaterThanOrEqual(recordTime);
    expect(Number(commands?.["count"])).toBeGreaterThan(0);
    expect(commands?.["oldest"]).toBeGreaterThanOrEqual(recordTime - 7n * 86_400_000_000n);
    node.close();
    await log.close();
  });
});
