/**
 * The ordered log: entries in one total order, for every replica the same. Numbers and hashes in the entries are
 * ours; a backend keeps batches and guarantees that one is appended only behind the entry its sequencer expects,
 * and that what was appended stays. There are two backends: SQLite for one machine, NATS JetStream for many.
 */
export interface LogHead {
  /** The last entry's sequence number; 0 for an empty log. */
  readonly sequence: number;
  readonly entryHash: string;
}

export interface LogBatch {
  /** What the log must end with for the batch to fit. */
  readonly after: LogHead;
  /** What the log ends with then. */
  readonly head: LogHead;
  /** Canonical bytes of the entries `after.sequence + 1` to `head.sequence`. */
  readonly entries: readonly string[];
}

/** Entries as a follower is handed them. */
export interface LogPage {
  readonly entries: readonly string[];
  /** The last of them, by the hash it had when it was appended: bytes that were damaged since do not match. */
  readonly head: LogHead;
}

export type Appended = { readonly appended: true } | { readonly appended: false; readonly head: LogHead };

export interface OrderedLog {
  readonly head: () => Promise<LogHead>;
  /** Answers once the batch is on disk, or that the log ends elsewhere. */
  readonly append: (batch: LogBatch) => Promise<Appended>;
  /** The entries behind a sequence number, and then the new ones as they come, until aborted or closed. */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<LogPage>;
  /** Answers those who wait, ends the followers. */
  readonly close: () => Promise<void>;
}
