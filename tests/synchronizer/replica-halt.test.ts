import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { ReplicaHalt } from "../../packages/ledger/src/transition/replica-halt.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import type { LogBatch, LogPage, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { tellGoldenStory } from "../golden-log/golden-story.ts";
import { changeEntry } from "./changed-entry.ts";
import { appendAll, chainContents, contentsOf, cutIntoBatches, EMPTY } from "./log-entries.ts";
import { openStreamReplica } from "./stream-replica.ts";

const { log: golden } = readGoldenLog();
const batches = cutIntoBatches(golden, 20);

/** A log with these batches, and its file for whoever wants to damage it. */
async function writeLog(content: readonly LogBatch[]): Promise<string> {
  const file = join(temporaryFolder(), "log.db");
  const log = new SqliteLog(file, systemHost);
  await appendAll(log, content);
  await log.close();
  return file;
}

/** Changes a log's file behind its back. */
function tamper(file: string, sql: string, ...values: readonly (string | number)[]): void {
  const database = new DatabaseSync(file);
  expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  database.close();
}

/** A path for the database of a replica that has applied nothing yet. */
function newReplica(): string {
  return join(temporaryFolder(), "replica.db");
}

/** A replica's database that has applied this log. */
async function replicaOf(file: string): Promise<string> {
  const log = new SqliteLog(file, systemHost);
  const path = newReplica();
  const node = openStreamReplica({ log, file: path });
  await node.catchUp();
  node.close();
  await log.close();
  return path;
}

/** Trims a log up to the end of a batch, and appends another. */
async function trimTo(file: string, batch: LogBatch, next: LogBatch): Promise<void> {
  const log = new SqliteLog(file, systemHost);
  await log.trim(batch.head.sequence);
  await appendAll(log, [next]);
  await log.close();
}

/** The replica must stop with these words, as often as it is started, and keep what it had. */
async function expectHalt(replica: string, logFile: string, words: RegExp): Promise<void> {
  const log = new SqliteLog(logFile, systemHost);
  const node = openStreamReplica({ log, file: replica });
  const before = node.replica.state.head;
  for (let attempt = 0; attempt < 2; attempt++) {
    const { signal } = new AbortController();
    const error = await node.replica.run(signal).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ReplicaHalt);
    expect(String(error)).toMatch(words);
    expect(node.replica.state.head).toEqual(before);
  }
  node.close();
  await log.close();
}

/** A log whose last entry is damaged is not opened. */
function expectRefused(logFile: string, words: string): void {
  expect(() => new SqliteLog(logFile, systemHost)).toThrow(`log.db is damaged: its last entry, ${words}`);
}

/** A log whose pages were damaged on their way from the disk. */
function withDamagedPages(
  log: OrderedLog,
  damage: (entries: readonly string[]) => readonly string[],
): OrderedLog {
  async function* follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    for await (const page of log.follow(after, signal)) yield { ...page, entries: damage(page.entries) };
  }
  const { unwritable, head, start, term, append, trim, close } = log;
  return { unwritable, head, start, term, append, trim, close, follow };
}

describe("a replica stops with a clear message", () => {
  test("at a log that is shorter than what it applied", async () => {
    const replica = await replicaOf(await writeLog(batches.slice(0, 3)));
    const short = await writeLog(batches.slice(0, 2));
    await expectHalt(
      replica,
      short,
      /the log ends with entry 40, but this replica has applied 60: the log lost its tail/,
    );
    const empty = await writeLog([]);
    await expectHalt(replica, empty, /the log ends with entry 0, but this replica has applied 60/);
  });

  test("at another log of the same length, and at a longer one", async () => {
    const replica = await replicaOf(await writeLog(batches.slice(0, 3)));
    const other = cutIntoBatches(tellGoldenStory(5), 20);
    for (const length of [3, 10]) {
      const file = await writeLog(other.slice(0, length));
      await expectHalt(
        replica,
        file,
        /entry 60 of the log is not the one this replica applied: it is another/,
      );
    }
  });

  test("at a log that forks where it stands", async () => {
    const replica = await replicaOf(await writeLog(batches.slice(0, 3)));
    const [first, second] = batches as [LogBatch, LogBatch];
    const fork = chainContents(
      second.head,
      Array.from({ length: 30 }, (_, i) => `other ${i}`),
    );
    const file = await writeLog([first, second, fork]);
    await expectHalt(replica, file, /entry 60 of the log is not the one/);
  });

  test("at an entry of which a character was changed, early or in between; the last one keeps the log closed", async () => {
    for (const sequence of [1, 21, 47, 60]) {
      const file = await writeLog(batches.slice(0, 3));
      changeEntry(file, sequence, (bytes) => `${bytes.slice(0, -3)}x${bytes.slice(-2)}`);
      const words = /follows an entry with hash|the log is damaged/;
      if (sequence < 60) await expectHalt(newReplica(), file, words);
      else expectRefused(file, "60, does not have the hash that its head says");
    }
  });

  test("at last entries that are damaged while the log is open", async () => {
    const damages: readonly ((entries: readonly string[]) => readonly string[])[] = [
      (entries) => [...entries.slice(0, -1), `${entries.at(-1)}x`],
      (entries) => [...entries.slice(0, -1), ""],
      (entries) => entries.slice(0, -10),
      () => [],
    ];
    for (const damage of damages) {
      const log = new SqliteLog(await writeLog(batches.slice(0, 3)), systemHost);
      const node = openStreamReplica({ log: withDamagedPages(log, damage), file: newReplica() });
      const error = await node.replica.run(new AbortController().signal).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ReplicaHalt);
      expect(String(error)).toContain("the log is damaged");
      expect(node.replica.state.head.sequence).toBe(0);
      node.close();
      await log.close();
    }
  });

  test("at an entry whose header was changed", async () => {
    const changes: readonly ((bytes: string) => string)[] = [
      (bytes) => bytes.replace(/^\[30,/, "[31,"),
      (bytes) => bytes.replace(/^\[30,"./, '[30,"x'),
      (bytes) => bytes.replace(/^(\[30,"[0-9a-f]{64}","\d+)/, "$10"),
      (bytes) => ` ${bytes}`,
    ];
    for (const change of changes) {
      const file = await writeLog(batches.slice(0, 3));
      changeEntry(file, 30, change);
      await expectHalt(
        newReplica(),
        file,
        /the log is damaged behind entry 29: log entry .* is not valid|was offered where 30 follows|31 follows an entry/,
      );
    }
  });

  test("at an entry that was cut off, to a part or to nothing", async () => {
    for (const [sequence, length] of [
      [25, 0],
      [25, 10],
      [25, 120],
      [60, 0],
      [60, 400],
    ] as const) {
      const file = await writeLog(batches.slice(0, 3));
      changeEntry(file, sequence, (bytes) => bytes.slice(0, length));
      const words = /the log is damaged|follows an entry with hash/;
      if (sequence < 60) await expectHalt(newReplica(), file, words);
      else expectRefused(file, length === 0 ? "60, cannot be read" : "60, does not have the hash");
    }
  });

  test("at entries that are missing: one in between, or the last ones", async () => {
    const file = await writeLog(batches.slice(0, 3));
    const replica = newReplica();
    tamper(file, "delete from entry where sequence = 33");
    await expectHalt(replica, file, /entry 34 was offered where 33 follows/);
    const cut = await writeLog(batches.slice(0, 3));
    tamper(cut, "delete from entry where sequence > 50");
    expectRefused(cut, "60, is missing");
    const bare = await writeLog(batches.slice(0, 3));
    tamper(bare, "delete from entry");
    expectRefused(bare, "60, is missing");
  });

  test("at the entry it applied last, if that was damaged since or is missing", async () => {
    const file = await writeLog(batches.slice(0, 3));
    const replica = await replicaOf(file);
    const longer = new SqliteLog(file, systemHost);
    await appendAll(longer, batches.slice(3, 4));
    await longer.close();
    changeEntry(file, 60, (bytes) => bytes.slice(0, -1));
    await expectHalt(replica, file, /entry 60 of the log is not the one this replica applied/);
    changeEntry(file, 60, () => "nothing");
    await expectHalt(replica, file, /the log is damaged at entry 60/);
    tamper(file, "delete from entry where sequence = 60");
    await expectHalt(replica, file, /entry 60 of the log is not the one this replica applied/);
  });
});

describe("a damaged log", () => {
  test("is not adopted at the end of a page either, and once repaired the replica goes on", async () => {
    // The page ends somewhere in the middle: whichever entry that is, its damage is noticed before it is kept.
    const contents = Array.from({ length: 1300 }, (_, i) => `nonsense ${i + 1}`);
    const batch = chainContents(EMPTY, contents);
    // The last entry of all is checked when the log is opened.
    const later = chainContents(batch.head, contentsOf("later nonsense", 500));
    const whole = await writeLog([batch, later]);
    const pages: number[] = [];
    const enough = new AbortController();
    const log = new SqliteLog(whole, systemHost);
    for await (const { head } of log.follow(0, enough.signal)) {
      pages.push(head.sequence);
      if (head.sequence >= 1300) enough.abort();
    }
    await log.close();
    expect(pages.length).toBeGreaterThan(1);
    for (const end of pages) {
      const file = await writeLog([batch, later]);
      const replica = newReplica();
      changeEntry(file, end, (bytes) => bytes.replace("nonsense", "Nonsense"));
      const damaged = new SqliteLog(file, systemHost);
      const node = openStreamReplica({ log: damaged, file: replica });
      await expect(node.catchUp()).rejects.toThrow("the log is damaged");
      expect(node.replica.state.head.sequence).toBeLessThan(end);
      await damaged.close();
      changeEntry(file, end, (bytes) => bytes.replace("Nonsense", "nonsense"));
      const repaired = new SqliteLog(file, systemHost);
      const again = openStreamReplica({ log: repaired, file: replica });
      await again.catchUp();
      expect(again.replica.state.head).toMatchObject(later.head);
      node.close();
      again.close();
      await repaired.close();
    }
  });
});

describe("a trimmed log", () => {
  const [first, second] = batches as [LogBatch, LogBatch];

  test("is followed by a replica that has applied all that is gone", async () => {
    const file = await writeLog([first]);
    const path = await replicaOf(file);
    await trimTo(file, first, second);
    const log = new SqliteLog(file, systemHost);
    const node = openStreamReplica({ log, file: path });
    await node.catchUp();
    expect(node.replica.state.head.sequence).toBe(second.head.sequence);
    node.close();
    await log.close();
  });

  test("that begins behind another entry than the replica's last one is not followed", async () => {
    const file = await writeLog([first]);
    const path = await replicaOf(file);
    await trimTo(file, first, second);
    tamper(file, "update start set hash = ?", "f".repeat(64));
    await expectHalt(path, file, /begins behind another entry 20 than this replica applied/);
  });
});
