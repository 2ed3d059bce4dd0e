import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { Journal } from "./journal.ts";
import { appendAll, chainContents, cutIntoBatches } from "./log-entries.ts";
import { Oracle } from "./oracle.ts";
import { openStreamReplica, type StreamReplica } from "./stream-replica.ts";

const { log: golden, expected } = readGoldenLog();
const batches = cutIntoBatches(golden, 40);
/** Templates have numbers of the replica's own. */
const CONTRACTS = "select * from active_contract order by contract_id";

function openLog(folder: string = temporaryFolder()): SqliteLog {
  const log = new SqliteLog(join(folder, "log.db"), systemHost);
  onTestFinished(() => log.close());
  return log;
}

function streamsOf({ database }: StreamReplica): unknown {
  return database.prepare("select * from stream_item order by rowid").all();
}

const journaled = (database: DatabaseSync) => ({ journal: new Journal(database) });

describe("a replica that stops", () => {
  test("goes on exactly where it was, at whichever batch that is", async () => {
    const folder = temporaryFolder();
    const log = openLog(folder);
    for (const batch of batches) {
      await log.append(batch);
      const node = openStreamReplica({ log, file: join(folder, "replica.db") }, journaled);
      expect(node.replica.state.head.sequence).toBe(batch.after.sequence);
      await node.catchUp();
      expect(node.replica.state.head).toMatchObject(batch.head);
      node.close();
    }
    const whole = openStreamReplica({ log }, journaled);
    const resumed = openStreamReplica({ log, file: join(folder, "replica.db") });
    await whole.catchUp();
    expect(resumed.replica.state.head).toEqual(whole.replica.state.head);
    expect(whole.replica.state.head.digest).toBe(expected.final);
    expect(streamsOf(resumed)).toEqual(streamsOf(whole));
    const journal = new Journal(resumed.database).list();
    expect(journal).toEqual(new Journal(whole.database).list());
    expect(journal.map(({ sequence }) => sequence)).toEqual(golden.map(({ sequence }) => sequence));
    whole.close();
    resumed.close();
  });

  test("by a log that is closed under it ends in peace", async () => {
    const folder = temporaryFolder();
    const log = new SqliteLog(join(folder, "log.db"), systemHost);
    await appendAll(log, batches.slice(0, 1));
    const node = openStreamReplica({ log });
    const running = node.replica.run(new AbortController().signal);
    await node.replica.reach(40, new AbortController().signal);
    await log.close();
    await expect(running).resolves.toBeUndefined();
    node.close();
  });
});

describe("a consumer that throws", () => {
  /** Throws once, at an entry, after it and the consumers before it have written. */
  function faultyReplica(log: SqliteLog, file: string, at: number) {
    let isFaulty = true;
    const fault: ReplicaConsumer = {
      name: "fault",
      kinds: [],
      absorb: (_change, { head }) => {
        if (!isFaulty || head.sequence !== at) return;
        isFaulty = false;
        throw new Error("the consumer has failed");
      },
      reload: () => undefined,
    };
    return openStreamReplica({ log, file }, (database) => ({ ...journaled(database), fault }));
  }

  test.each([1, 2, 41, 75, 120, golden.length])(
    "at entry %i leaves nothing of its batch, in rows or in memory, and everything works afterwards",
    async (at) => {
      const folder = temporaryFolder();
      const file = join(folder, "replica.db");
      const log = openLog(folder);
      const node = faultyReplica(log, file, at);
      const oracle = new Oracle();
      for (const batch of batches) {
        await log.append(batch);
        if (batch.after.sequence < at && at <= batch.head.sequence) {
          await expect(node.catchUp()).rejects.toThrow("the consumer has failed");
          oracle.compare(node.replica.state);
          oracle.compare(new SqliteState(node.database));
          expect(node.journal.list()).toHaveLength(batch.after.sequence);
          for (const member of oracle.members) {
            const last = node.streams.page(member, 0, 10_000).at(-1);
            expect(node.streams.end(member).offset).toBe(last?.offset ?? 0);
          }
        }
        await node.catchUp();
        oracle.apply(golden.slice(batch.after.sequence, batch.head.sequence));
        oracle.compare(node.replica.state);
      }
      expect(node.journal.list()).toHaveLength(golden.length);
      // The cache may be right by luck: the rows must be right too.
      node.close();
      const again = openStreamReplica({ log, file });
      oracle.compare(again.replica.state);
      again.close();
    },
  );
});

describe("waiting for an entry", () => {
  const never = new AbortController().signal;

  test("ends once it is applied, for an earlier one at once", async () => {
    const log = openLog();
    const node = openStreamReplica({ log });
    const stop = new AbortController();
    const running = node.replica.run(stop.signal);
    const reached: number[] = [];
    const waiting = [100, 40, 80].map(async (sequence) => {
      await node.replica.reach(sequence, never);
      expect(node.replica.state.head.sequence).toBeGreaterThanOrEqual(sequence);
      reached.push(sequence);
    });
    for (const batch of batches.slice(0, 3)) {
      await log.append(batch);
      await node.replica.reach(batch.head.sequence, never);
    }
    await Promise.all(waiting);
    expect(reached).toEqual([40, 80, 100]);
    await node.replica.reach(1, AbortSignal.abort());
    stop.abort();
    await running;
    node.close();
  });

  test("is given up when aborted, with the reason, also if that was before it began", async () => {
    const node = openStreamReplica({ log: openLog() });
    const stop = new AbortController();
    const waiting = node.replica.reach(1, stop.signal);
    stop.abort(new Error("the client has gone"));
    await expect(waiting).rejects.toThrow("the client has gone");
    await expect(node.replica.reach(1, stop.signal)).rejects.toThrow("the client has gone");
    node.close();
  });

  test("tells listeners of each page once, in order, until they stop listening", async () => {
    const log = openLog();
    const node = openStreamReplica({ log });
    const seen: number[] = [];
    const stop = node.replica.onApplied((outcomes) => {
      seen.push(...outcomes.map(({ head }) => head.sequence));
      // It is on disk by now, for other readers as well.
      expect(node.database.isTransaction).toBe(false);
      expect(new SqliteState(node.database).head.sequence).toBe(seen.at(-1));
    });
    await appendAll(log, batches.slice(0, 2));
    await node.catchUp();
    stop();
    await appendAll(log, batches.slice(2, 3));
    await node.catchUp();
    expect(seen).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
    node.close();
  });
});

describe("several replicas", () => {
  test("on one log agree in everything, whenever they join and however they are cut", async () => {
    const log = openLog();
    const nodes = [openStreamReplica({ log }), openStreamReplica({ log })];
    const stop = new AbortController();
    const run = (node: StreamReplica) => node.replica.run(stop.signal);
    const running = nodes.map(run);
    for (const [i, batch] of batches.entries()) {
      await log.append(batch);
      if (i !== 3 && i !== 8) continue;
      const late = openStreamReplica({ log });
      nodes.push(late);
      running.push(run(late));
    }
    await log.append(chainContents(await log.head(), ["nonsense"]));
    await Promise.all(nodes.map(({ replica }) => replica.reach(golden.length + 1, stop.signal)));
    stop.abort();
    await Promise.all(running);
    expect(nodes).toHaveLength(4);
    const [first, ...others] = nodes as [StreamReplica, ...StreamReplica[]];
    for (const other of others) {
      expect(other.replica.state.head).toEqual(first.replica.state.head);
      expect(streamsOf(other)).toEqual(streamsOf(first));
      const contracts = ({ database }: StreamReplica) => database.prepare(CONTRACTS).all();
      expect(contracts(other)).toEqual(contracts(first));
    }
    for (const node of nodes) node.close();
  });
});
