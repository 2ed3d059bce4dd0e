/**
 * The conformance suite of the ordered log, run over every backend. A place is where one log is
 * kept: opening it again gives the same log.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import type { LogBatch, LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { runAndKill } from "../support/child-process.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  contentsOf,
  EMPTY,
  findBreak,
  headOf,
  LONG,
  readEntries,
  readLog,
} from "./log-entries.ts";
import { APPEND_BATCHES, type LogBackend, openLog } from "./open-log.ts";
import { describeTrimming } from "./trimmed-log-conformance.ts";

export function describeOrderedLog(backend: LogBackend): void {
  const open = async (place: string): Promise<OrderedLog> => {
    const log = await openLog(backend.name, place);
    onTestFinished(() => log.close());
    return log;
  };
  const openNew = () => open(backend.newPlace());

  describe("appending", () => appending(openNew));
  describe("following", () => following(openNew));
  describe("trimming", () => describeTrimming(backend, open));
  describe("closing and opening", () => closing(backend, open));
  describe("a process that is killed", () => killing(backend, open));
}

/** The answer to a batch that does not fit. */
async function refusalAt(log: OrderedLog, head: LogHead) {
  return { appended: false, head, term: await log.term() };
}

/** Appends like a sequencer: anew behind the head it is told, until it fits. Gives the head it ended with. */
async function appendSomewhere(log: OrderedLog, contents: readonly string[]): Promise<LogHead> {
  let after = EMPTY;
  for (;;) {
    const batch = chainContents(after, contents);
    const answer = await log.append(batch);
    if (answer.appended) return batch.head;
    after = answer.head;
  }
}

function appending(openNew: () => Promise<OrderedLog>): void {
  test("an empty log ends before the first entry", async () => {
    const log = await openNew();
    expect(await log.head()).toEqual({ sequence: 0, entryHash: "0".repeat(64) });
  });

  test("a batch is appended behind the head it names, and is the head then", async () => {
    const log = await openNew();
    const first = chainContents(EMPTY, ["one", "two"]);
    const second = chainContents(first.head, ["three"]);
    expect(await log.append(first)).toEqual(APPENDED);
    expect(await log.head()).toEqual(first.head);
    expect(await log.append(second)).toEqual(APPENDED);
    expect(await log.head()).toEqual({ sequence: 3, entryHash: second.head.entryHash });
    expect(await readEntries(log, 0, 3)).toEqual([...first.entries, ...second.entries]);
  });

  test("whoever names another head is told the current one, and nothing is appended", async () => {
    const log = await openNew();
    const first = chainContents(EMPTY, ["one", "two"]);
    await log.append(first);
    const wrongHeads: readonly LogHead[] = [
      EMPTY,
      { ...first.head, sequence: 1 },
      { ...first.head, sequence: 3 },
      { ...first.head, entryHash: "a".repeat(64) },
    ];
    for (const after of wrongHeads) {
      expect(await log.append(chainContents(after, ["other"]))).toEqual(await refusalAt(log, first.head));
    }
    expect(await log.head()).toEqual(first.head);
    expect(await readEntries(log, 0, 2)).toEqual(first.entries);
  });

  test("a batch for another term is not appended, and is told the present one", async () => {
    const log = await openNew();
    const term = await log.term();
    const batch = chainContents(EMPTY, ["one"]);
    expect(await log.append({ ...batch, term: `not ${term}` })).toEqual(await refusalAt(log, EMPTY));
    expect(await log.head()).toEqual(EMPTY);
    expect(await log.append({ ...batch, term })).toEqual(APPENDED);
  });

  test("batches that follow each other may be sent without waiting", async () => {
    const log = await openNew();
    const batches = chainBatches(EMPTY, 100);
    const answers = await Promise.all(batches.map((batch) => log.append(batch)));
    expect(answers).toEqual(batches.map(() => APPENDED));
    expect(await log.head()).toEqual(batches.at(-1)?.head);
    expect(await readEntries(log, 0, 100)).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("of many that name the same head exactly one is appended, and each gets its own answer", async () => {
    const log = await openNew();
    const rivals = contentsOf("rival", 50).map((content) => chainContents(EMPTY, [content]));
    const answers = await Promise.all(rivals.map((batch) => log.append(batch)));
    const winners = rivals.filter((_, i) => answers[i]?.appended);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    const refusal = await refusalAt(log, (winner as LogBatch).head);
    expect(answers.filter(({ appended }) => !appended)).toEqual(Array.from({ length: 49 }, () => refusal));
    expect(await readEntries(log, 0, 1)).toEqual(winner?.entries);
  });

  test("a batch that does not fit among others that do harms none of them", async () => {
    const log = await openNew();
    const [first, second, third] = chainBatches(EMPTY, 3) as [LogBatch, LogBatch, LogBatch];
    const stray = chainContents(first.head, ["stray"]);
    const answers = await Promise.all([first, second, stray, third].map((batch) => log.append(batch)));
    const refusal = await refusalAt(log, second.head);
    expect(answers).toEqual([APPENDED, APPENDED, refusal, APPENDED]);
    expect(await log.head()).toEqual(third.head);
  });

  test("a batch with more or fewer entries than its numbers say is refused, and harms nobody", async () => {
    const log = await openNew();
    const good = chainContents(EMPTY, ["good"]);
    const { entries, ...ends } = chainContents(EMPTY, ["one", "two"]);
    const shortBatch = log.append({ ...ends, entries: entries.slice(1) });
    const longBatch = log.append({ ...ends, entries: [...entries, ...entries] });
    const goodBatch = log.append(good);
    await expect(shortBatch).rejects.toThrow("1 entries leads from 0 to 1, not to 2");
    await expect(longBatch).rejects.toThrow("4 entries leads from 0 to 4, not to 2");
    expect(await goodBatch).toEqual(APPENDED);
    expect(await readEntries(log, 0, 1)).toEqual(good.entries);
  });

  test("entries come back to the byte, whatever their content", async () => {
    const log = await openNew();
    const contents = [
      "",
      " ",
      '["Tick",{"quoted \\" and \\u0000"}]',
      "a raw \u0000 and a tab\t",
      "Grüße, 名前, 🦜, \u{10ffff}, \u202e, e\u0301",
      "'; drop table entry; --",
      "x".repeat(4_000_000),
    ];
    const batch = chainContents(EMPTY, contents);
    await log.append(batch);
    const read = await readEntries(log, 0, contents.length);
    expect(read.every((bytes, i) => bytes === batch.entries[i])).toBe(true);
    expect(read).toHaveLength(contents.length);
  });
}

function following(openNew: () => Promise<OrderedLog>): void {
  test("from any point on, everything behind it comes once and in order", async () => {
    const log = await openNew();
    const batches = chainBatches(EMPTY, 12);
    await appendAll(log, batches);
    const all = batches.flatMap(({ entries }) => entries);
    for (let after = 0; after < all.length; after++) {
      expect(await readEntries(log, after, all.length - after)).toEqual(all.slice(after));
    }
  });

  test("a long log comes in several pages, each of which says what it ends with", async () => {
    const log = await openNew();
    await log.append(chainContents(EMPTY, contentsOf("entry", LONG)));
    const enough = new AbortController();
    let last = 0;
    let pages = 0;
    for await (const { entries, head } of log.follow(0, enough.signal)) {
      const end = expectParsed(parseLogEntry(entries.at(-1) ?? ""));
      expect(head).toEqual(headOf(end));
      last += entries.length;
      expect(head.sequence).toBe(last);
      pages++;
      if (last >= LONG) enough.abort();
    }
    expect(last).toBe(LONG);
    expect(pages).toBeGreaterThan(1);
  });

  test("followers who start anywhere miss nothing while several writers append", async () => {
    const log = await openNew();
    const WRITERS = 4;
    const EACH = 40;
    const total = WRITERS * EACH * 2;
    const starts = [0, 0, 1, 37, 160, total - 1];
    const followers = starts.map((after) => readEntries(log, after, total - after));
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; i < EACH; i++) {
        await appendSomewhere(log, [`${writer}/${i}/a`, `${writer}/${i}/b`]);
        // Half of them have joined by the time somebody else does.
        if (writer === 0 && i === EACH / 2) followers.push(readEntries(log, 3, total - 3));
      }
    });
    await Promise.all(writers);
    const everything = await readLog(log);
    expect(findBreak(everything)).toBeNull();
    const expected = Array.from({ length: WRITERS }, (_, writer) =>
      Array.from({ length: EACH }, (_each, i) => [`${writer}/${i}/a`, `${writer}/${i}/b`]),
    );
    expect(everything.map(({ content }) => content).sort()).toEqual(expected.flat(2).sort());
    const all = await readEntries(log, 0, total);
    for (const [i, after] of [...starts, 3].entries()) expect(await followers[i]).toEqual(all.slice(after));
  });

  test("a follower from beyond the end waits for what comes behind that", async () => {
    const log = await openNew();
    const batches = chainBatches(EMPTY, 5);
    const waiting = readEntries(log, 3, 2);
    await appendAll(log, batches);
    expect(await waiting).toEqual(batches.slice(3).flatMap(({ entries }) => entries));
  });

  test("an abort ends a follower that waits, and only that one", async () => {
    const log = await openNew();
    await log.append(chainContents(EMPTY, ["one"]));
    const one = new AbortController();
    const other = readEntries(log, 0, 2);
    const pages = log.follow(1, one.signal)[Symbol.asyncIterator]();
    const next = pages.next();
    one.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await log.append(chainContents(await log.head(), ["two"]));
    expect(await other).toHaveLength(2);
  });

  test("a follower that was aborted before it began is handed nothing", async () => {
    const log = await openNew();
    await log.append(chainContents(EMPTY, ["one"]));
    const pages = log.follow(0, AbortSignal.abort())[Symbol.asyncIterator]();
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("a follower that catches up on a long log yields to other work, and can be aborted on the way", async () => {
    const log = await openNew();
    await log.append(chainContents(EMPTY, contentsOf("entry", LONG)));
    const stop = new AbortController();
    let seen = 0;
    for await (const { entries } of log.follow(0, stop.signal)) {
      seen += entries.length;
      setImmediate(() => stop.abort());
    }
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(LONG);
  });
}

function closing(backend: LogBackend, open: (place: string) => Promise<OrderedLog>): void {
  test("a log that is opened again has everything, and goes on where it ended", async () => {
    const place = backend.newPlace();
    const batches = chainBatches(EMPTY, 30);
    const log = await open(place);
    await appendAll(log, batches.slice(0, 20));
    await log.close();
    const again = await open(place);
    expect(await again.head()).toEqual(batches[19]?.head);
    const refusal = await refusalAt(again, (batches[19] as LogBatch).head);
    expect(await again.append(batches[0] as LogBatch)).toEqual(refusal);
    await appendAll(again, batches.slice(20));
    expect(await readEntries(again, 0, 30)).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("closing ends the followers that wait, and those that are busy", async () => {
    const log = await open(backend.newPlace());
    await log.append(chainContents(EMPTY, contentsOf("entry", LONG)));
    const { signal } = new AbortController();
    const waiting = log.follow(LONG, signal)[Symbol.asyncIterator]().next();
    const busy = log.follow(0, signal)[Symbol.asyncIterator]();
    expect(await busy.next()).toMatchObject({ done: false });
    await log.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await busy.next()).toEqual({ done: true, value: undefined });
  });

  test("batches sent before closing are appended; batches sent after it are refused", async () => {
    const place = backend.newPlace();
    const log = await open(place);
    const [first, second] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
    const sent = log.append(first);
    await log.close();
    expect(await sent).toEqual(APPENDED);
    await expect(log.append(second)).rejects.toThrow("the log is closed");
    await log.close();
    expect(await (await open(place)).head()).toEqual(first.head);
  });
}

function killing(backend: LogBackend, open: (place: string) => Promise<OrderedLog>): void {
  test("leaves every batch it was acknowledged, and none twice", async () => {
    const place = backend.newPlace();
    for (const [run, lines] of [3, 60, 250].entries()) {
      const child = await runAndKill(APPEND_BATCHES, [backend.name, place, `run ${run}`], lines);
      expect(child).toMatchObject({ signal: "SIGKILL" });
      expect(child.lines.length).toBeGreaterThanOrEqual(lines);
      const log = await open(place);
      const entries = await readLog(log);
      expect(findBreak(entries)).toBeNull();
      expect(headOf(entries.at(-1) as (typeof entries)[number])).toEqual(await log.head());
      const hashes = new Map(entries.map((entry) => [entry.sequence, headOf(entry).entryHash]));
      for (const line of child.lines) {
        const [sequence, entryHash] = line.split(" ");
        expect(hashes.get(Number(sequence))).toBe(entryHash);
      }
      const contents = entries.map(({ content }) => content);
      expect(new Set(contents).size).toBe(contents.length);
      expect(listTorn(contents)).toEqual([]);
      await log.close();
    }
  });
}

/** Batches that are there only in part. The child's batches have 1, 2, 3, 4, 5, 1, 2… entries in turn. */
function listTorn(contents: readonly string[]): readonly string[] {
  const batches = Map.groupBy(contents, (content) => content.slice(0, content.lastIndexOf("/")));
  return [...batches]
    .filter(([name, entries]) => entries.length !== 1 + (Number(name.split("/").at(-1)) % 5))
    .map(([name]) => name);
}
