/**
 * The part of the ordered log's conformance suite that is about trimming. A backend may trim whole batches only: then the log
 * begins behind the last batch that ends at or before the given entry.
 */
import { expect, test } from "vitest";
import {
  type LogHead,
  LogTrimmed,
  type OrderedLog,
} from "../../packages/synchronizer/src/log/ordered-log.ts";
import { readFirstEntry } from "../../packages/synchronizer/src/log/read-first-entry.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  contentsOf,
  EMPTY,
  LONG,
  readEntries,
} from "./log-entries.ts";
import type { LogBackend } from "./open-log.ts";

export function describeTrimming(backend: LogBackend, open: (place: string) => Promise<OrderedLog>): void {
  const COUNT = 30;
  const CUT = 20;
  const openLong = async () => {
    const place = backend.newPlace();
    const batches = [...chainBatches(EMPTY, COUNT)];
    const log = await open(place);
    await appendAll(log, batches);
    const entries = batches.flatMap((batch) => batch.entries);
    return { place, log, entries, headAt: (sequence: number) => batches[sequence - 1]?.head };
  };

  test("removes the entries up to one, behind which the log begins and goes on", async () => {
    const { place, log, entries, headAt } = await openLong();
    expect(await log.start()).toEqual(EMPTY);
    await log.trim(CUT);
    expect(await log.start()).toEqual(headAt(CUT));
    expect(await log.head()).toEqual(headAt(COUNT));
    expect(await readEntries(log, CUT, COUNT - CUT)).toEqual(entries.slice(CUT));
    await log.close();
    const again = await open(place);
    expect(await again.start()).toEqual(headAt(CUT));
    const next = chainContents(headAt(COUNT) as LogHead, ["next"]);
    expect(await again.append(next)).toEqual(APPENDED);
    expect(await readEntries(again, CUT, COUNT + 1 - CUT)).toEqual([...entries.slice(CUT), ...next.entries]);
  });

  test("a log in a file keeps the first entry of all", async () => {
    const { place, log, entries } = await openLong();
    if (log.keptFirst === undefined) return;
    expect(await log.keptFirst()).toBe(null);
    await log.trim(CUT);
    await log.trim(CUT + 2);
    await log.close();
    const again = await open(place);
    expect(await again.keptFirst?.()).toBe(entries[0]);
    expect(await readFirstEntry(again, new AbortController().signal)).toBe(entries[0]);
  });

  test("an empty log begins behind an entry that it does not have, and goes on", async () => {
    const { entries, headAt } = await openLong();
    const place = backend.newPlace();
    const log = await open(place);
    if (log.beginBehind === undefined) return;
    const start = headAt(CUT) as LogHead;
    await log.beginBehind(start, entries[0] as string);
    expect([await log.start(), await log.head()]).toEqual([start, start]);
    const next = chainContents(start, ["next"]);
    expect(await log.append(next)).toEqual(APPENDED);
    await log.close();
    const again = await open(place);
    expect(await again.start()).toEqual(start);
    expect(await readEntries(again, CUT, 1)).toEqual(next.entries);
    await expect(readEntries(again, CUT - 1, 1)).rejects.toThrow(LogTrimmed);
  });

  test("a follower that asks for entries that are gone is told where the log begins", async () => {
    const { log, headAt } = await openLong();
    await log.trim(CUT);
    const reading = readEntries(log, CUT - 1, 1);
    await expect(reading).rejects.toThrow(LogTrimmed);
    await expect(reading).rejects.toMatchObject({ start: headAt(CUT) });
  });

  test("an earlier entry, and the same one again, remove nothing more", async () => {
    const { log, headAt } = await openLong();
    await log.trim(CUT);
    await log.trim(CUT);
    await log.trim(1);
    expect(await log.start()).toEqual(headAt(CUT));
  });

  test("up to the last entry leaves a log that goes on behind it", async () => {
    const { place, log, headAt } = await openLong();
    const end = headAt(COUNT) as LogHead;
    await log.trim(COUNT);
    expect([await log.start(), await log.head()]).toEqual([end, end]);
    await log.close();
    const again = await open(place);
    const next = chainContents(end, ["next"]);
    expect(await again.append(next)).toEqual(APPENDED);
    expect(await readEntries(again, COUNT, 1)).toEqual(next.entries);
  });

  test("an entry that the log does not have removes nothing", async () => {
    const { log, entries } = await openLong();
    await expect(log.trim(COUNT + 1)).rejects.toThrow(`the log has no entry ${COUNT + 1}`);
    expect(await log.start()).toEqual(EMPTY);
    expect(await readEntries(log, 0, COUNT)).toEqual(entries);
  });

  test("many entries go while others are appended and read", async () => {
    const SIZE = 100;
    const log = await open(backend.newPlace());
    const first = chainContents(EMPTY, contentsOf("entry", 2 * LONG - SIZE));
    const second = chainContents(first.head, contentsOf("later entry", SIZE));
    await appendAll(log, [first, second]);
    const next = chainContents(second.head, ["next"]);
    const read = readEntries(log, 2 * LONG, 1);
    const [, answer] = await Promise.all([log.trim(2 * LONG - 1), log.append(next)]);
    expect(answer).toEqual(APPENDED);
    expect(await read).toEqual(next.entries);
    const start = await log.start();
    const all = [...first.entries, ...second.entries, ...next.entries];
    // The end of the first batch, or the entry itself.
    expect([2 * LONG - SIZE, 2 * LONG - 1]).toContain(start.sequence);
    expect(all[start.sequence]).toContain(start.entryHash);
    const left = all.slice(start.sequence);
    expect(await readEntries(log, start.sequence, left.length)).toEqual(left);
  });
}
