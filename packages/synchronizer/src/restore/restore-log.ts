/**
 * Restores a log that lost its tail from the copies of the SVs: asks for a page of each copy behind the log's end, decides, appends
 * byte for byte what stands, and goes on behind it. A run that was killed is repeated: it begins at the log's new end.
 */
import { Backoff, CannotStart, sleep } from "@callsign/node";
import { RESTORE_RETRY } from "../limits/limits.ts";
import { isSameHead } from "../log/append-group.ts";
import { cutBatches } from "../log/cut-batches.ts";
import type { LogHead, OrderedLog } from "../log/ordered-log.ts";
import { type AskedCopies, askCopies, type CopySources, type TailPage } from "./ask-copies.ts";
import { decideFork } from "./decide-fork.ts";
import {
  type DecidedEntry,
  decideRestore,
  type RestoreDecision,
  type RestoreEnd,
  type RestoreWords,
} from "./decide-restore.ts";
import { type Fork, findFork } from "./find-fork.ts";

export interface RestoreParts extends CopySources {
  readonly log: OrderedLog;
  readonly words: RestoreWords;
  /** Nothing is appended if false: the outcome says what would be. */
  readonly appends: boolean;
  /** Silent SVs are asked again until it aborts. */
  readonly patience: AbortSignal;
  /** Is told the log's end after each batch. */
  readonly report?: (head: LogHead) => void;
}

export interface RestoreOutcome {
  /** The log's end before. */
  readonly before: LogHead;
  /** The log's end with the restored entries. */
  readonly head: LogHead;
  /** Places whose entries the operator's word decided. */
  readonly chosen: readonly DecidedEntry[];
  /** Entries whose holders must cut their copies before them. */
  readonly dropped: readonly DecidedEntry[];
  readonly end: RestoreEnd;
  /** SVs that were not heard when the last place was decided, and why. */
  readonly silent: ReadonlyMap<string, string>;
  /** The last entry of this disk's copy that stays; null if all of them do. */
  readonly cutBehind: LogHead | null;
}

export async function restoreLog(parts: RestoreParts): Promise<RestoreOutcome> {
  const { log, own } = parts;
  // Read before the SVs are asked: an append in a later term is refused.
  const term = await log.term();
  const before = await log.head();
  const fork = await findFork(log, own.copy);
  own.enterTerm(term);
  const settled = fork === null ? null : await settleFork(fork, term, parts);
  const known = { before, dropped: settled?.dropped ?? [], cutBehind: fork?.common ?? null };
  if (settled?.end.kind === "waits")
    return { ...known, head: before, chosen: [], end: settled.end, silent: settled.silent, cutBehind: null };
  return restoreTail(parts, term, known);
}

type Known = Pick<RestoreOutcome, "before" | "dropped" | "cutBehind">;

/** Behind the last entry that stands, copies may hold others that they have not shown yet: these are dropped as well. */
async function restoreTail(parts: RestoreParts, term: string, known: Known): Promise<RestoreOutcome> {
  const dropped = [...known.dropped];
  const chosen: DecidedEntry[] = [];
  let { before: head, cutBehind } = known;
  for (;;) {
    const { decision, copies } = await decideBehind(head, term, parts);
    const { restored, end } = decision;
    checkKept(decision, parts.words);
    const from = head;
    if (restored.length > 0) head = await appendRestored(restored, copies, { parts, from, term });
    dropped.push(...decision.dropped);
    chosen.push(...restored.filter(({ by }) => by === "word"));
    cutBehind ??= findCut(decision, from, parts);
    const areAllShown = [...copies.shown.values()].every(({ isWhole }) => isWhole);
    if (restored.length === 0 || (end.kind === "whole" && areAllShown))
      return { before: known.before, head, chosen, dropped, end, silent: copies.silent, cutBehind };
  }
}

/** Asks again as long as SVs are silent that could decide the next place. */
async function decideBehind(
  place: LogHead,
  term: string,
  parts: RestoreParts,
): Promise<{ readonly decision: RestoreDecision; readonly copies: AskedCopies }> {
  const { svs, words, timers, patience } = parts;
  const backoff = new Backoff(RESTORE_RETRY);
  for (;;) {
    const copies = await askCopies(place, term, parts);
    const decision = decideRestore({ svs, end: place.sequence, shown: copies.shown, words });
    const { restored, end } = decision;
    const isDone = end.kind === "whole" || restored.length > 0 || end.awaited.length === 0;
    if (isDone || patience.aborted) return { decision, copies };
    await sleep(backoff.next(), { timers, signal: patience }).catch(() => undefined);
  }
}

/** The operator's choice cannot replace an entry that the SVs have shown to stand, nor save one that they lack. */
function checkKept({ restored, dropped }: RestoreDecision, { kept }: RestoreWords): void {
  for (const { sequence, entryHash, by } of dropped) {
    if (by !== "evidence" || kept.get(sequence) !== entryHash) continue;
    const standing = restored.find((entry) => entry.sequence === sequence)?.entryHash;
    throw new CannotStart(
      `entry ${sequence}:${entryHash} cannot be kept: the SVs have shown that it was not acknowledged` +
        `${standing === undefined ? "" : `, and that ${standing} stands in its place`}. Run the command without it`,
    );
  }
}

interface Appending {
  readonly parts: RestoreParts;
  readonly from: LogHead;
  readonly term: string;
}

/** Resolves with the log's new end. */
async function appendRestored(
  restored: readonly DecidedEntry[],
  { shown }: AskedCopies,
  { parts, from, term }: Appending,
): Promise<LogHead> {
  const entries = restored.map((entry, i) => findBytes(entry, i, shown));
  const heads = restored.map(({ sequence, entryHash }) => ({ sequence, entryHash }));
  if (parts.appends)
    for (const batch of cutBatches(from, { entries, heads })) {
      const answer = await parts.log.append({ ...batch, term });
      if (!answer.appended && !isSameHead(answer.head, batch.head)) throw refused(answer, batch.after, term);
      parts.report?.(batch.head);
    }
  return heads.at(-1) ?? from;
}

function refused(
  { head, term }: { readonly head: LogHead; readonly term: string },
  after: LogHead,
  expected: string,
): CannotStart {
  const reason =
    term === expected
      ? `it ends with entry ${head.sequence}, ${head.entryHash}, and not with ${after.sequence}, ${after.entryHash}: somebody else appends`
      : "its server has changed";
  return new CannotStart(`the log took no entry behind ${after.sequence}: ${reason}. Run the command again`);
}

/** A holder's bytes. Their hash was checked when they were shown. */
function findBytes(
  { sequence, entryHash, holders: [holder = ""] }: DecidedEntry,
  i: number,
  shown: ReadonlyMap<string, TailPage>,
): string {
  const page = shown.get(holder);
  const bytes = page?.entries[i];
  if (bytes !== undefined && page?.heads[i]?.entryHash === entryHash) return bytes;
  throw new Error(`${holder} has not shown entry ${sequence}, ${entryHash}`);
}

/** The last entry of this disk's copy before one that is dropped. */
function findCut(
  { restored, dropped }: RestoreDecision,
  from: LogHead,
  { own }: CopySources,
): LogHead | null {
  const cut = dropped.find(({ holders }) => holders.some((id) => own.ids.includes(id)));
  if (cut === undefined) return null;
  const last = restored.find(({ sequence }) => sequence === cut.sequence - 1);
  return last === undefined ? from : { sequence: last.sequence, entryHash: last.entryHash };
}

/** This disk's copy has another entry than the log: it is cut if the SVs show that the copy's was not acknowledged. */
async function settleFork(
  { common, inLog }: Fork,
  term: string,
  parts: RestoreParts,
): Promise<Pick<RestoreOutcome, "dropped" | "end" | "silent">> {
  const { own, svs, words } = parts;
  const { copies } = await decideBehind(common, term, parts);
  const evidence = { svs, end: common.sequence, shown: copies.shown, words };
  const { standing, dropped, end } = decideFork(evidence, inLog, own.ids);
  if (standing !== null)
    throw new CannotStart(
      `the log has entry ${inLog.sequence} with hash ${inLog.entryHash}, but the SVs hold ${standing.entryHash} there: ` +
        "it is not the network's log. Nothing was changed. Set the log's keys to the log that the other SVs use",
    );
  return { dropped, end, silent: copies.silent };
}
