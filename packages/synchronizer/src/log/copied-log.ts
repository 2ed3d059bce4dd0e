/**
 * A log that is kept elsewhere, with an SV's own copy of it in a file: every entry is chained, hashed and synced to the copy
 * before a follower gets it. So an SV that says it has applied an entry can give it back to a log that lost it. A log
 * that is shorter than the copy or differs from it is never followed: its followers get the copy's entries, and end with the reason.
 */
import { type Hash, ReplicaHalt } from "@callsign/ledger";
import {
  asPassingFailure,
  Backoff,
  Bell,
  type Host,
  type Log,
  retry,
  StoreUnavailable,
  StoreUnwritable,
} from "@callsign/node";
import { COPY_RETRY } from "../limits/limits.ts";
import { checkPage } from "./check-page.ts";
import { CopyTerms } from "./copy-terms.ts";
import {
  type Appended,
  HOW_TO_RESTORE,
  type LogBatch,
  type LogHead,
  type LogPage,
  type OrderedLog,
} from "./ordered-log.ts";
import { SqliteLog, type StoredEntries } from "./sqlite-log.ts";

export interface CopiedLogParts {
  /** The log itself. It is closed with the copy. */
  readonly remote: OrderedLog;
  /** The copy's file. */
  readonly path: string;
  readonly hash: Hash;
  readonly host: Host;
  readonly log: Log;
}

export class CopiedLog implements OrderedLog {
  readonly #parts: CopiedLogParts;
  readonly #remote: OrderedLog;
  readonly #copy: SqliteLog;
  readonly #closing = new AbortController();
  /** Aborted with the reason once the log must not be followed any more. */
  readonly #halted = new AbortController();
  /** Rings when the copy is longer, or will not be any more. */
  readonly #changed: Bell;
  readonly #terms: CopyTerms;
  readonly #copying: Promise<void>;
  /** Aborted when pages that are on their way must not be copied any more. */
  #turn = new AbortController();
  /** The page that is being written. */
  #writing: Promise<unknown> = Promise.resolve();
  #copied: LogHead | null = null;

  constructor(parts: CopiedLogParts) {
    this.#parts = parts;
    this.#remote = parts.remote;
    this.#copy = new SqliteLog(parts.path, parts.host);
    this.#changed = new Bell(parts.host.timers);
    this.#terms = new CopyTerms(`${parts.path}-terms`, parts.host.files, parts.remote.isLaterTerm);
    this.#copying = this.#run();
  }

  readonly unwritable = (): string | null => this.#remote.unwritable() ?? this.#copy.unwritable();

  readonly head = (): Promise<LogHead> => this.#remote.head();

  readonly start = (): Promise<LogHead> => this.#copy.start();

  readonly term = (): Promise<string> => this.#remote.term();

  readonly keptFirst = (): Promise<string | null> => this.#copy.keptFirst();

  /** The log itself. */
  get remote(): OrderedLog {
    return this.#remote;
  }

  /** The entries that are synced to the copy, also of a log that must not be followed any more. */
  get copy(): StoredEntries {
    return this.#copy;
  }

  /**
   * Call before this SV says in a term what it holds: afterwards nothing of earlier terms is copied, not even a page that is on its
   * way. Throws unless this SV's own log is in that term.
   */
  readonly enterTerm = async (term: string): Promise<void> => {
    const present = await this.#remote.term();
    if (present !== term || this.#terms.isFormer(term))
      throw new StoreUnwritable(
        `the log of this SV is in the term ${present}, and it was asked about ${term}`,
      );
    if (!this.#terms.enter(term)) return;
    this.#turn.abort();
    this.#turn = new AbortController();
    await this.#writing;
  };

  readonly append = async (batch: LogBatch): Promise<Appended> => {
    this.#halted.signal.throwIfAborted();
    return this.#remote.append(batch);
  };

  /** The copy must have an entry before the log may drop it. */
  readonly trim = async (upTo: number): Promise<void> => {
    if (upTo <= (await this.#remote.head()).sequence) await this.#reach(upTo);
    await this.#remote.trim(upTo);
    await this.#copy.trim((await this.#remote.start()).sequence);
  };

  readonly close = async (): Promise<void> => {
    await this.#remote.close();
    this.#closing.abort();
    this.#changed.ring();
    await this.#copying;
    await this.#copy.close();
  };

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    const { signal: halted } = this.#halted;
    let last = after;
    for await (const page of this.#copy.follow(after, AbortSignal.any([signal, halted]))) {
      yield page;
      last = page.head.sequence;
    }
    if (signal.aborted || !halted.aborted) return;
    yield* this.#readRest(last, signal);
    if (!signal.aborted) halted.throwIfAborted();
  }

  /** The rest of the copy, which no longer grows. */
  async *#readRest(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    const { sequence } = await this.#copy.head();
    if (after >= sequence) return;
    for await (const page of this.#copy.follow(after, signal)) {
      yield page;
      if (page.head.sequence >= sequence) return;
    }
  }

  /** Resolves once the copy has the entry. */
  async #reach(sequence: number): Promise<void> {
    const isOver = () => this.#closing.signal.aborted || this.#halted.signal.aborted;
    const isReached = () => (this.#copied?.sequence ?? 0) >= sequence;
    await this.#changed.until(() => isReached() || isOver(), {});
    if (isReached()) return;
    this.#halted.signal.throwIfAborted();
    throw new Error("the log is closed");
  }

  async #run(): Promise<void> {
    const { host, log, path } = this.#parts;
    const { signal } = this.#closing;
    const backoff = new Backoff(COPY_RETRY);
    const onFailure = (error: unknown) => {
      const passing = asPassingFailure(error);
      if (passing === null) throw error;
      log.error({ error: passing.message, file: path }, "the log cannot be copied; it is retried");
    };
    const start = async () => {
      const copied = await this.#copy.head();
      checkLength(copied, await this.#remote.head());
      this.#copied = copied;
      await this.#followInTurns(signal, backoff);
    };
    try {
      await retry(start, { backoff, timers: host.timers, signal, onFailure });
    } catch (error) {
      if (signal.aborted) return;
      log.error({ error, file: path }, "the log is not followed any more");
      this.#halted.abort(error);
      this.#changed.ring();
    }
  }

  async #followInTurns(signal: AbortSignal, backoff: Backoff): Promise<void> {
    for (;;) {
      const turn = this.#turn.signal;
      await this.#follow(AbortSignal.any([signal, turn]), backoff);
      if (signal.aborted || !turn.aborted) return;
    }
  }

  async #follow(signal: AbortSignal, backoff: Backoff): Promise<void> {
    let copied = await this.#copy.head();
    for await (const page of this.#remote.follow(copied.sequence, signal)) {
      if (signal.aborted) return;
      this.#checkTerm(page);
      checkPage(this.#parts.hash, copied, {
        ...page,
        whose: "this SV's copy",
        remedy: `. ${HOW_TO_RESTORE}`,
      });
      const writing = this.#copy.append({ after: copied, head: page.head, entries: page.entries });
      this.#writing = writing.catch(() => undefined);
      const answer = await writing;
      if (!answer.appended) throw new ReplicaHalt("this SV's copy of the log was changed by somebody else");
      copied = page.head;
      this.#copied = copied;
      backoff.reset();
      this.#changed.ring();
    }
  }

  #checkTerm({ term }: LogPage): void {
    if (term === undefined) return;
    if (this.#terms.isFormer(term))
      throw new StoreUnavailable(
        `the log's server of an earlier term answers (${term}). Stop that server, or take it out of the log's hosts`,
      );
    this.#terms.enter(term);
  }
}

function checkLength(copied: LogHead, { sequence, entryHash }: LogHead): void {
  if (sequence < copied.sequence)
    throw new ReplicaHalt(
      `the log ends with entry ${sequence}, but this SV's copy of it has ${copied.sequence}: the log lost its tail. ${HOW_TO_RESTORE}`,
    );
  if (sequence === copied.sequence && entryHash !== copied.entryHash)
    throw new ReplicaHalt(
      `entry ${sequence} of the log is not the one in this SV's copy: it is another log, or it lost its tail. ${HOW_TO_RESTORE}`,
    );
}
