/** Batches chained as a sequencer chains them, and what a log holds. */
import {
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
  parseLogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { START } from "../../packages/ledger/testing/transition-fixture.ts";
import type { LogBatch, LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";

/** The answer to a batch that fits. */
export const APPENDED = { appended: true };
/** More than any backend hands out at once. */
export const LONG = 1300;

export const EMPTY: LogHead = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };

/** Entries with these contents, unsigned, behind a head. */
export function chainContents(after: LogHead, contents: readonly string[]): LogBatch {
  const entries: LogEntry[] = [];
  let head = after;
  for (const content of contents) {
    const entry = {
      sequence: head.sequence + 1,
      previousHash: head.entryHash,
      stampedAt: START,
      content,
      signatures: [],
    };
    entries.push(entry);
    head = headOf(entry);
  }
  return { after, head, entries: entries.map(formatLogEntry) };
}

/** Entries that exist already, behind a head. */
export function batchOf(after: LogHead, entries: readonly LogEntry[]): LogBatch {
  return { after, head: headOf(entries.at(-1) as LogEntry), entries: entries.map(formatLogEntry) };
}

export function headOf(entry: LogEntry): LogHead {
  return { sequence: entry.sequence, entryHash: hashLogEntry(sha256, entry) };
}

/** A log that exists already, cut into batches. */
export function cutIntoBatches(log: readonly LogEntry[], size: number): readonly LogBatch[] {
  const batches: LogBatch[] = [];
  let after = EMPTY;
  for (let i = 0; i < log.length; i += size) {
    const batch = batchOf(after, log.slice(i, i + size));
    batches.push(batch);
    after = batch.head;
  }
  return batches;
}

export async function appendAll(log: OrderedLog, batches: readonly LogBatch[]): Promise<void> {
  for (const batch of batches) {
    const answer = await log.append(batch);
    if (!answer.appended) throw new Error(`the log ends with ${answer.head.sequence}`);
  }
}

/** Follows the log until it has seen so many entries. */
export async function readEntries(log: OrderedLog, after: number, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  const enough = new AbortController();
  if (count === 0) return seen;
  for await (const { entries } of log.follow(after, enough.signal)) {
    seen.push(...entries);
    if (seen.length >= count) enough.abort();
  }
  return seen;
}

/** Everything that the log holds now. */
export async function readLog(log: OrderedLog): Promise<readonly LogEntry[]> {
  const { sequence } = await log.head();
  return (await readEntries(log, 0, sequence)).map((bytes) => expectParsed(parseLogEntry(bytes)));
}

/** The first entry that does not follow the one before it, if there is one. */
export function findBreak(entries: readonly LogEntry[]): number | null {
  let head = EMPTY;
  for (const entry of entries) {
    if (entry.sequence !== head.sequence + 1 || entry.previousHash !== head.entryHash) return entry.sequence;
    head = headOf(entry);
  }
  return null;
}

export function contentsOf(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
}

/** A chain of batches of one entry each. */
export function chainBatches(after: LogHead, count: number): readonly LogBatch[] {
  const batches: LogBatch[] = [];
  let head = after;
  for (let i = 0; i < count; i++) {
    const batch = chainContents(head, [`batch ${i + 1}`]);
    batches.push(batch);
    head = batch.head;
  }
  return batches;
}
