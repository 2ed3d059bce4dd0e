/**
 * The ordered log: entries in one total order, for every replica the same. Numbers and hashes in the entries are
 * ours; a backend keeps batches and guarantees that one is appended only behind the entry its sequencer expects,
 * and that appended entries stay until they are trimmed.
 */
import { FIRST_PREVIOUS_HASH } from "@callsign/ledger";

export interface LogHead {
  /** The last entry's sequence number; 0 for an empty log. */
  readonly sequence: number;
  readonly entryHash: string;
}

export const EMPTY_HEAD: LogHead = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };

/** The way on for an SV that has entries which the log has lost, or has others instead of. */
export const HOW_TO_RESTORE = "Stop this SV, run `callsign log restore` beside it, and start it again";

export interface LogBatch {
  /** The head that the log must have for the batch to fit. */
  readonly after: LogHead;
  /** The head after the batch. */
  readonly head: LogHead;
  /** Canonical bytes of the entries `after.sequence + 1` to `head.sequence`. */
  readonly entries: readonly string[];
  /** The term in which the batch may be appended; any if omitted. */
  readonly term?: string;
}

/** Consecutive entries, as followers get them. */
export interface LogPage {
  readonly entries: readonly string[];
  /** The last entry, with the hash it had when it was appended: bytes damaged since do not match it. */
  readonly head: LogHead;
  /** The term of the server that gave the page; none if its log tells no two servers apart when it is read. */
  readonly term?: string;
}

/** A batch that does not fit is answered with what the log has instead. */
export type Appended =
  | { readonly appended: true }
  | { readonly appended: false; readonly head: LogHead; readonly term: string };

/** The entries that a follower asks for are trimmed. */
export class LogTrimmed extends Error {
  override readonly name = "LogTrimmed";
  readonly start: LogHead;

  constructor(after: number, start: LogHead) {
    super(`the log begins behind entry ${start.sequence}: the entries behind ${after} are trimmed`);
    this.start = start;
  }
}

export type IsLaterTerm = (term: string, than: string) => boolean;

export interface OrderedLog {
  /** The file, for operators; undefined for a log on a server. */
  readonly path?: string;
  /** The reason why nothing can be appended at present; null if there is none. Asking tries to write. */
  readonly unwritable: () => string | null;
  readonly head: () => Promise<LogHead>;
  /**
   * The head behind the batches that wait to be written: a batch that follows it fits, unless the write before it fails. An engine
   * that other processes append to has none of this.
   */
  readonly tail?: () => LogHead;
  /** The entry before the first that is kept. Its number is 0 unless entries were trimmed. */
  readonly start: () => Promise<LogHead>;
  /**
   * Names the server that answers for the log, and its time in office. It changes when another server takes over, which may
   * lack entries that were appended.
   */
  readonly term: () => Promise<string>;
  /** The first entry of all, kept although it was trimmed; null if it was not. An engine without this keeps none. */
  readonly keptFirst?: () => Promise<string | null>;
  /** True if another process follows the log, also on another machine. An engine that cannot tell has none of this. */
  readonly isFollowed?: () => Promise<boolean>;
  /** Lets an empty log begin behind an entry that it does not have. `first` is the first entry of all. */
  readonly beginBehind?: (start: LogHead, first: string) => Promise<void>;
  /** True if the first term began after the second one; not there if the names of terms do not tell. */
  readonly isLaterTerm?: IsLaterTerm;
  /** Resolves once the batch is on disk, or with the current head and term if the batch does not fit. */
  readonly append: (batch: LogBatch) => Promise<Appended>;
  /** The entries after a sequence number, then new ones as they arrive, until aborted or closed. Throws a `LogTrimmed`. */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<LogPage>;
  /** Removes the entries up to this one, which is an entry of the log. */
  readonly trim: (upTo: number) => Promise<void>;
  /** Writes pending batches and ends the followers. */
  readonly close: () => Promise<void>;
}

/** A batch with another number of entries than its heads say would break the chain. */
export function checkSize({ after, head, entries }: LogBatch): void {
  if (head.sequence === after.sequence + entries.length) return;
  throw new Error(
    `a batch of ${entries.length} entries leads from ${after.sequence} to ${after.sequence + entries.length}, not to ${head.sequence}`,
  );
}
