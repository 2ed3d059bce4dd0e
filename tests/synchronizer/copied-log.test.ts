import { rmSync } from "node:fs";
import { join } from "node:path";
import { StoreUnavailable, systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { ReplicaHalt } from "../../packages/ledger/src/transition/replica-halt.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import type { CopiedLog } from "../../packages/synchronizer/src/log/copied-log.ts";
import type { LogBatch, LogPage, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { appendAll, chainBatches, chainContents, EMPTY, readEntries } from "./log-entries.ts";
import { copyOf, logFile, openCopied } from "./open-log.ts";
import { describeOrderedLog } from "./ordered-log-conformance.ts";

describe("a copied log", () => {
  describeOrderedLog({ name: "copied", newPlace: temporaryFolder });
});

const batches = chainBatches(EMPTY, 10);
const entries = batches.flatMap((batch) => batch.entries);

/** A folder with a log of these batches and a whole copy of it. */
async function writeCopied(content: readonly LogBatch[]): Promise<string> {
  const folder = temporaryFolder();
  const log = openCopied(folder);
  await appendAll(log, content);
  await readEntries(log, 0, content.length);
  await log.close();
  return folder;
}

/** Puts a log of these batches in the place of the one that was copied. */
async function replaceLog(folder: string, content: readonly LogBatch[]): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) rmSync(logFile(folder) + end, { force: true });
  const log = new SqliteLog(logFile(folder), systemHost);
  await appendAll(log, content);
  await log.close();
}

function open(folder: string): CopiedLog {
  const log = openCopied(folder);
  onTestFinished(() => log.close());
  return log;
}

async function expectHalt(log: CopiedLog, words: string): Promise<void> {
  const reading = readEntries(log, batches.length, 1);
  await expect(reading).rejects.toBeInstanceOf(ReplicaHalt);
  await expect(reading).rejects.toThrow(words);
}

test("an entry is in the copy before a follower gets it, and stays there without the log", async () => {
  const folder = temporaryFolder();
  const log = open(folder);
  const stop = new AbortController();
  const copied: number[] = [];
  const following = (async () => {
    for await (const { head } of log.follow(0, stop.signal)) {
      copied.push((await log.copy.head()).sequence - head.sequence);
      if (head.sequence === batches.length) stop.abort();
    }
  })();
  await appendAll(log, batches);
  await following;
  expect(Math.min(...copied)).toBe(0);
  await log.close();
  const copy = new SqliteLog(join(folder, "copy.db"), systemHost);
  onTestFinished(() => copy.close());
  expect(await readEntries(copy, 0, batches.length)).toEqual(entries);
});

test("a copy that is lost is made again from the log", async () => {
  const folder = await writeCopied(batches);
  for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `copy.db${end}`), { force: true });
  const log = open(folder);
  expect(await readEntries(log, 0, batches.length)).toEqual(entries);
});

test("a log that is shorter than the copy is not followed, and nothing is appended to it", async () => {
  const folder = await writeCopied(batches);
  await replaceLog(folder, batches.slice(0, 7));
  const log = open(folder);
  await expectHalt(log, "the log ends with entry 7, but this SV's copy of it has 10: the log lost its tail");
  const next = chainContents((batches[6] as LogBatch).head, ["other"]);
  await expect(log.append(next)).rejects.toThrow("the log lost its tail");
  expect(await log.copy.head()).toEqual(batches.at(-1)?.head);
  // The copy's own entries are still read: others restore the log from them.
  const seen: string[] = [];
  const reading = (async () => {
    for await (const page of log.follow(0, AbortSignal.timeout(10_000))) seen.push(...page.entries);
  })();
  await expect(reading).rejects.toThrow(
    "Stop this SV, run `callsign log restore` beside it, and start it again",
  );
  expect(seen).toEqual(entries);
});

test("a log of the same length with another last entry is not followed", async () => {
  const folder = await writeCopied(batches);
  const fork = chainContents((batches[8] as LogBatch).head, ["other"]);
  await replaceLog(folder, [...batches.slice(0, 9), fork]);
  await expectHalt(open(folder), "entry 10 of the log is not the one in this SV's copy");
});

test("a longer log that forks before the copy's end is not followed", async () => {
  const folder = await writeCopied(batches);
  const fork = chainContents((batches[6] as LogBatch).head, ["a", "b", "c", "d", "e"]);
  await replaceLog(folder, [...batches.slice(0, 7), fork]);
  await expectHalt(open(folder), "entry 11 of the log does not follow entry 10 of this SV's copy");
});

/** A log whose pages pass through a hand. */
function through(log: OrderedLog, hand: (page: LogPage) => LogPage): OrderedLog {
  const { head, start, term, append, trim, unwritable, close } = log;
  const follow = async function* (after: number, signal: AbortSignal) {
    for await (const page of log.follow(after, signal)) yield hand(page);
  };
  return { head, start, term, append, trim, unwritable, close, follow };
}

test("damaged bytes are not copied, and no follower gets them", async () => {
  const remote = new SqliteLog(":memory:", systemHost);
  const damaged = through(remote, (page) => ({
    ...page,
    entries: page.entries.map((bytes) => bytes.replace("batch 4", "batch 5")),
  }));
  const log = copyOf(damaged, temporaryFolder());
  onTestFinished(() => log.close());
  const failing = expect(readEntries(log, 0, batches.length)).rejects.toThrow("the log is damaged");
  await appendAll(remote, batches.slice(0, 3));
  await readEntries(log, 0, 3);
  await appendAll(remote, batches.slice(3, 4));
  await failing;
  expect((await log.copy.head()).sequence).toBe(3);
});

test("a log that is gone for a while is copied on when it is back", async () => {
  const remote = new SqliteLog(":memory:", systemHost);
  let failures = 0;
  const flaky = through(remote, (page) => {
    if (page.head.sequence < 5 || failures === 3) return page;
    failures++;
    throw new StoreUnavailable("the server is gone");
  });
  const log = copyOf(flaky, temporaryFolder());
  onTestFinished(() => log.close());
  for (const batch of batches) await appendAll(log, [batch]);
  expect(await readEntries(log, 0, batches.length)).toEqual(entries);
  expect(failures).toBe(3);
});
