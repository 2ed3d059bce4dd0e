/**
 * The ordered log: entries in one total order, for every replica the same. Numbers and hashes in the entries are
 * ours; a backend keeps batches and guarantees that one is appended only behind the entry its sequencer expects,
 * and that appended entries stay. There are two backends: SQLite for one machine, NATS JetStream for many.
 */
export interface LogHead {
  /** The last entry's sequence number; 0 for an empty log. */
  readonly sequence: number;
  readonly entryHash: string;
}

export interface LogBatch {
  /** The head that the log must have for the batch to fit. */
  readonly after: LogHead;
  /** The head after the batch. */
  readonly head: LogHead;
  /** Canonical bytes of the entries `after.sequence + 1` to `head.sequence`. */
  readonly entries: readonly string[];
}

/** Consecutive entries, as followers get them. */
export interface LogPage {
  readonly entries: readonly string[];
  /** The last entry, with the hash it had when it was appended: bytes damaged since do not match it. */
  readonly head: LogHead;
}

export type Appended = { readonly appended: true } | { readonly appended: false; readonly head: LogHead };

export interface OrderedLog {
  /** The reason why nothing can be appended at present; null if there is none. Asking tries to write. */
  readonly unwritable: () => string | null;
  readonly head: () => Promise<LogHead>;
  /** Resolves once the batch is on disk, or with the current head if the batch does not fit. */
  readonly append: (batch: LogBatch) => Promise<Appended>;
  /** The entries after a sequence number, then new ones as they arrive, until aborted or closed. */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<LogPage>;
  /** Writes pending batches and ends the followers. */
  readonly close: () => Promise<void>;
}
