/**
 * Copies a log to another place, which is empty or has the first part of it. Every entry's number, link and hash is checked on
 * the way, and the copy is read again at the end. The source stays as it is.
 */
import type { Hash } from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import { checkPage } from "./check-page.ts";
import { type CheckedPage, cutBatches } from "./cut-batches.ts";
import type { LogHead, OrderedLog } from "./ordered-log.ts";

export interface LogCopy {
  /** Entries that the copy had before. */
  readonly before: number;
  readonly copied: number;
  readonly head: LogHead;
}

interface CopyParts {
  readonly from: OrderedLog;
  readonly to: OrderedLog;
  readonly hash: Hash;
  /** The first entry of all, if the log was trimmed: an empty copy begins where the log does. */
  readonly first?: string;
  /** Is told the last entry that is copied, page by page. */
  readonly report?: (head: LogHead) => void;
}

export async function copyLog(parts: CopyParts): Promise<LogCopy> {
  const { from, to, hash, report = () => undefined } = parts;
  const goal = await from.head();
  const before = await begin(parts);
  if (before.sequence > goal.sequence)
    throw new CannotStart(
      `the copy has ${before.sequence} entries already, and the log has ${goal.sequence}: give an empty log`,
    );
  let last = before;
  for await (const page of readTo(from, { after: before, goal, hash, whose: "the copy" })) {
    for (const batch of cutBatches(last, page)) {
      const answer = await to.append(batch);
      if (!answer.appended)
        throw new CannotStart(`somebody else appends to the copy, which has ${answer.head.sequence} entries`);
      last = batch.head;
    }
    report(last);
  }
  const start = await to.start();
  for await (const _ of readTo(to, { after: start, goal, hash, whose: "the copy" }));
  await checkHeads(from, to);
  return { before: before.sequence, copied: goal.sequence - before.sequence, head: goal };
}

/** The last entry of the copy, or of those that its source lacks as well. */
async function begin({ from, to, first }: CopyParts): Promise<LogHead> {
  const [start, copied] = [await from.start(), await to.head()];
  if (start.sequence === 0 || copied.sequence > 0 || first === undefined || to.beginBehind === undefined) {
    checkBeginning(start, copied);
    return copied;
  }
  await to.beginBehind(start, first);
  return start;
}

/** Entries that are trimmed cannot be copied, and a copy has to begin where its source does. */
function checkBeginning(start: LogHead, copied: LogHead): void {
  if (start.sequence <= copied.sequence) return;
  throw new CannotStart(
    `the log begins behind entry ${start.sequence}, and the copy has ${copied.sequence}: the entries between them are trimmed`,
  );
}

async function checkHeads(from: OrderedLog, to: OrderedLog): Promise<void> {
  const [source, copy] = [await from.head(), await to.head()];
  if (source.sequence === copy.sequence && source.entryHash === copy.entryHash) return;
  throw new CannotStart(
    `the log ends with entry ${source.sequence}, ${source.entryHash}, and the copy with ${copy.sequence}, ` +
      `${copy.entryHash}: stop all SVs, and run the command again`,
  );
}

interface Reading {
  readonly after: LogHead;
  readonly goal: LogHead;
  readonly hash: Hash;
  readonly whose: string;
}

/** Pages up to the goal, each checked. */
async function* readTo(log: OrderedLog, { after, goal, hash, whose }: Reading): AsyncGenerator<CheckedPage> {
  let last = after;
  checkGoal(last, goal, whose);
  if (last.sequence >= goal.sequence) return;
  for await (const page of log.follow(last.sequence, new AbortController().signal)) {
    const heads = checkPage(hash, last, { ...page, whose });
    // Entries that came after the goal are left for the comparison of heads.
    const count = Math.min(page.entries.length, goal.sequence - last.sequence);
    last = heads[count - 1] ?? last;
    checkGoal(last, goal, whose);
    yield { entries: page.entries.slice(0, count), head: last, heads };
    if (last.sequence >= goal.sequence) return;
  }
}

function checkGoal(last: LogHead, goal: LogHead, whose: string): void {
  if (last.sequence < goal.sequence || last.entryHash === goal.entryHash) return;
  throw new CannotStart(
    `entry ${last.sequence} of ${whose} is another one than that of the log: give an empty log`,
  );
}
