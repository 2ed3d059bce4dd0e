import { join } from "node:path";
import { nextTurn, systemHost, type Timers } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  COMMIT_ENTRIES,
  COMMIT_MILLISECONDS,
  COMMIT_PAUSE_MILLISECONDS,
  COMMIT_SPREAD_MILLISECONDS,
} from "../../packages/synchronizer/src/limits/limits.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import type { ReplicaOptions } from "../support/open-replica.ts";
import { changeEntry } from "./changed-entry.ts";
import { hurriedClock, withoutCommits } from "./hurried-clock.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";
import { Oracle } from "./oracle.ts";
import { committedIn, openStreamReplica } from "./stream-replica.ts";

const { log: golden } = readGoldenLog();
const LENGTH = 45;
const never = new AbortController().signal;

/** One page of entries, and a replica that has slices of one entry each. */
async function setUp({
  length = LENGTH,
  ...options
}: { length?: number } & Pick<ReplicaOptions, "sharedCommits" | "timers" | "randomness">) {
  const folder = temporaryFolder();
  const [logFile, file] = [join(folder, "log.db"), join(folder, "replica.db")];
  const written = new SqliteLog(logFile, systemHost);
  await appendAll(written, cutIntoBatches(golden.slice(0, length), length));
  await written.close();
  let log: SqliteLog | undefined;
  onTestFinished(() => log?.close());
  const open = () => {
    log ??= new SqliteLog(logFile, systemHost);
    return openStreamReplica({ log, file, timers: withoutCommits, clock: hurriedClock(), ...options });
  };
  return { open, logFile, file };
}

describe.each([true, false])("a page in slices, commits shared: %s", (sharedCommits) => {
  test("lets others have their turn between them, and has the same outcomes", async () => {
    const { open } = await setUp({ sharedCommits });
    const node = open();
    const told: number[] = [];
    node.replica.onApplied((outcomes) => told.push(...outcomes.map(({ head }) => head.sequence)));
    const seen = new Set<number>();
    const watch = async () => {
      for (; node.replica.state.head.sequence < LENGTH; await nextTurn(systemHost.timers))
        seen.add(node.replica.state.head.sequence);
    };
    await Promise.all([watch(), node.catchUp()]);
    expect(told).toEqual(Array.from({ length: LENGTH }, (_, i) => i + 1));
    expect(seen.size).toBeGreaterThan(LENGTH / 2);
    Oracle.behind(golden, LENGTH).compare(node.replica.state);
    node.close();
  });

  test("tells of no entry that the next one does not name", async () => {
    const { open, logFile } = await setUp({ sharedCommits });
    // It can still be read, and is another entry.
    changeEntry(logFile, 20, (bytes) =>
      bytes.replace(/[0-9](?=[^0-9]*$)/, (digit) => (digit === "1" ? "2" : "1")),
    );
    const node = open();
    let told = 0;
    node.replica.onApplied((outcomes) => {
      told = outcomes.at(-1)?.head.sequence ?? 0;
    });
    await expect(node.replica.run(never)).rejects.toThrow("entry 21 follows an entry with hash");
    expect(told).toBe(19);
    Oracle.behind(golden, 19).compare(node.replica.state);
    node.close();
  });

  test("stops between two of them, and goes on there", async () => {
    const { open, file } = await setUp({ sharedCommits });
    const first = open();
    await first.catchUp(17);
    const stopped = first.replica.state.head.sequence;
    expect(stopped).toBeGreaterThanOrEqual(17);
    expect(stopped).toBeLessThan(LENGTH);
    first.close();
    expect(committedIn(file)).toBe(stopped);
    const second = open();
    await second.catchUp();
    Oracle.behind(golden, LENGTH).compare(second.replica.state);
    second.close();
  });
});

test("rows that wait are written in slices ahead of a commit, and are seen with it", async () => {
  const length = COMMIT_ENTRIES + 10;
  const { open, file } = await setUp({ sharedCommits: true, length });
  const node = open();
  const seen = new Set<number>();
  const watch = async () => {
    const rows = node.database.prepare("select count(*) as rows from contract");
    for (; node.replica.state.head.sequence < length; await nextTurn(systemHost.timers)) {
      if (node.replica.state.head.sequence === COMMIT_ENTRIES) seen.add(Number(rows.get()?.["rows"]));
    }
  };
  await Promise.all([watch(), node.catchUp()]);
  expect(seen.size).toBeGreaterThan(2);
  expect(committedIn(file)).toBe(length);
  Oracle.behind(golden, length).compare(node.replica.state);
  node.close();
});

test("a commit that nothing waits for comes at a moment of its own, with pauses between its slices", async () => {
  const set: number[] = [];
  const timers: Timers = {
    ...systemHost.timers,
    set: (callback, milliseconds) => {
      set.push(milliseconds);
      return systemHost.timers.set(callback, 0);
    },
  };
  const randomness = { ...systemHost.randomness, fraction: () => 0.5 };
  const { open, file } = await setUp({ sharedCommits: true, timers, randomness });
  const node = open();
  const stopping = new AbortController();
  const running = node.replica.run(stopping.signal);
  await node.replica.reach(LENGTH, never);
  await expect.poll(() => committedIn(file)).toBe(LENGTH);
  expect(set[0]).toBe(COMMIT_MILLISECONDS + COMMIT_SPREAD_MILLISECONDS / 2);
  expect(set.filter((each) => each === COMMIT_PAUSE_MILLISECONDS).length).toBeGreaterThan(2);
  stopping.abort();
  await running;
  node.close();
});
