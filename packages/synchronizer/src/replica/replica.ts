/**
 * A replica: follows the log, applies every entry with the pure transition, and keeps the state and the rows of
 * its consumers, a slice of a page of the log all or nothing. It resumes exactly where its rows stand. A log
 * that is shorter than the applied entries, differs from them or cannot be read stops the replica with a ReplicaHalt: it
 * never adopts a damaged log.
 */
import {
  type Hash,
  hashLogEntry,
  type LogEntry,
  type Outcome,
  type Parsed,
  parseLogEntry,
  ReplicaHalt,
  type Transition,
} from "@callsign/ledger";
import { Bell, type Host, nextTurn } from "@callsign/node";
import { HOW_TO_RESTORE, type LogHead, type LogPage, type OrderedLog } from "../log/ordered-log.ts";
import type { ReplicaConsumer } from "./consumer.ts";
import { ReplicaConsumers } from "./consumers.ts";
import { dayOf } from "./days.ts";
import { PagesLost, PageTransactions } from "./page-transactions.ts";
import { prepareAhead } from "./prepare-ahead.ts";
import { parseEntries, type ReadPage } from "./read-page.ts";
import { SliceTime } from "./slice-time.ts";
import type { SqliteState } from "./sqlite-state.ts";

export interface ReplicaParts {
  readonly state: SqliteState;
  readonly log: OrderedLog;
  readonly transition: Transition;
  readonly hash: Hash;
  readonly host: Pick<Host, "timers" | "clock" | "randomness">;
  readonly consumers?: readonly ReplicaConsumer[];
  /** True if pages that come within a moment may share a transaction: the log keeps their entries. False if omitted. */
  readonly sharedCommits?: boolean;
  /** Runs for the next entries while others are applied: it checks signatures on other threads. */
  readonly prepare?: (entries: readonly LogEntry[]) => Promise<void>;
  /** Gets the error of a failed listener: the page stands, and the replica goes on. If omitted, the replica stops. */
  readonly onListenerError?: (error: unknown) => void;
}

export type AppliedListener = (outcomes: readonly Outcome[]) => void;

/** A page that was applied. */
export interface AppliedPage {
  readonly entries: readonly LogEntry[];
  readonly outcomes: readonly Outcome[];
  /** The time in which it was applied and stored. */
  readonly milliseconds: number;
}

export class Replica {
  readonly state: SqliteState;
  readonly #parts: ReplicaParts;
  readonly #consumers: ReplicaConsumers;
  readonly #time: SliceTime;
  readonly #listeners = new Set<AppliedListener>();
  readonly #dayListeners = new Set<AppliedListener>();
  readonly #watchers = new Set<(page: AppliedPage) => void>();
  readonly #commitListeners = new Set<() => void>();
  /** The memory is ahead of the rows. */
  #isStale = false;
  #isChecked = false;
  readonly #applied: Bell;
  readonly #transactions: PageTransactions;
  /** The end of pages that are applied again, because one behind them failed: it is to fail by itself. */
  #soundEnd: LogHead | null = null;
  /** Of a commit that failed between two pages. */
  #failure: { readonly error: unknown } | null = null;
  #stop = new AbortController();

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.#transactions = new PageTransactions({
      database: parts.state.database,
      host: parts.host,
      shared: parts.sharedCommits ?? false,
      saveUntil: (isOver) => parts.state.saveUntil(isOver),
      beforeCommit: () => parts.state.save(),
      onFailure: (error) => this.#fail(error),
      onCommitted: () => {
        for (const listener of this.#commitListeners) this.#tell(listener, []);
      },
    });
    this.#applied = new Bell(parts.host.timers);
    this.state = parts.state;
    this.#consumers = new ReplicaConsumers(parts.state, parts.consumers ?? []);
    this.#time = new SliceTime(parts.host.clock, parts.sharedCommits ?? false);
  }

  /**
   * Calls the listener after every page. Its entries are on the log's disk; after a failed commit they are applied, and told,
   * again. Returns a function that stops listening.
   */
  onApplied(listener: AppliedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls the listener when the first entry of a day in record time is on disk, before any other is applied: the database has
   * the state after that entry, which is the last outcome's.
   */
  onDay(listener: AppliedListener): () => void {
    this.#dayListeners.add(listener);
    return () => this.#dayListeners.delete(listener);
  }

  /** The same with the page's entries and the time it took, behind the listeners: for metrics. */
  onPage(watcher: (page: AppliedPage) => void): void {
    this.#watchers.add(watcher);
  }

  /** Calls the listener after every commit: readers of the database in other processes see its pages from then on. */
  onCommitted(listener: () => void): void {
    this.#commitListeners.add(listener);
  }

  /** Resolves once the entry has been applied. */
  async reach(sequence: number, signal: AbortSignal): Promise<void> {
    const isReached = () => this.state.head.sequence >= sequence;
    if (!(await this.#applied.until(isReached, { signal }))) throw signal.reason;
  }

  /** Resolves once the last applied entry has been found in the log: before that, it may be another or a damaged one. */
  async checked(signal: AbortSignal): Promise<void> {
    if (!(await this.#applied.until(() => this.#isChecked, { signal }))) throw signal.reason;
  }

  /**
   * Follows the log until aborted. Rejects with a ReplicaHalt at a log that must not be applied. After any other
   * error, as of a full disk, it can run again, and goes on where its rows stand.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#failure = null;
    if (this.#isStale) this.#reload();
    await this.#checkLog(signal);
    this.#isChecked = true;
    this.#applied.ring();
    while (await this.#follow(signal));
    this.#throwFailure();
  }

  /** True if pages that were applied are gone with one that failed: they are to be applied again. */
  async #follow(signal: AbortSignal): Promise<boolean> {
    const stop = new AbortController();
    this.#stop = stop;
    const ending = AbortSignal.any([signal, stop.signal]);
    const pages = this.#parts.log.follow(this.state.head.sequence, ending);
    try {
      for await (const page of prepareAhead(pages, (next) => this.#prepare(next))) {
        await this.#apply(page, ending);
      }
      return false;
    } catch (error) {
      if (error instanceof PagesLost) return true;
      throw error;
    } finally {
      stop.abort();
      this.#commitLast();
    }
  }

  /** Commits the pages that were applied since the last commit. After a failure they are gone. */
  commit(): void {
    try {
      this.#transactions.commit();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #commitLast(): void {
    try {
      this.commit();
    } catch {
      // It is noted, and does not hide an error that ends the run.
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Ends the run. If the rows cannot be read now, the next run does it. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isStale = true;
    this.#stop.abort();
    try {
      this.#reload();
    } catch (unreadable) {
      this.#failure = { error: unreadable };
    }
  }

  async #prepare({ entries, head }: LogPage): Promise<ReadPage> {
    const read = parseEntries(entries);
    await this.#parts.prepare?.(read.flatMap((entry) => (entry.ok ? [entry.value] : [])));
    return { entries: read, head };
  }

  /** In slices, between which others of this process have their turn. Stops between two of them when the run ends. */
  async #apply({ entries, head }: ReadPage, ending: AbortSignal): Promise<void> {
    let rest = entries;
    while (this.#failure === null && !ending.aborted) {
      rest = this.#applySlice(rest, head);
      await this.#transactions.makeRoom();
      if (rest.length === 0) return;
      await nextTurn(this.#parts.host.timers);
    }
  }

  /**
   * Applies entries until the time of a slice is over, up to the first one of the next day if anybody listens to days, or
   * up to the end of those that were sound. Returns the others.
   */
  #applySlice(entries: ReadPage["entries"], head: LogHead): ReadPage["entries"] {
    const before = this.state.head;
    const { part, end } = this.#cut(entries, head);
    const day = dayOf(before.recordTime);
    const isNewDay = () => this.#dayListeners.size > 0 && dayOf(this.state.head.recordTime) !== day;
    this.#time.begin();
    let outcomes: readonly Outcome[];
    try {
      outcomes = this.#transactions.run(() => {
        const applied: Outcome[] = [];
        for (const entry of part) {
          applied.push(this.#applyEntry(entry));
          const isOver = isNewDay() || this.#time.isOver(this.#consumers.waiting);
          if (isOver && this.#isNamedBy(part[applied.length])) break;
        }
        this.#time.finish(this.#consumers.waiting, () => this.#consumers.absorbWaiting());
        if (applied.length === part.length) this.#checkEnd(end);
        this.state.saveTopology();
        return applied;
      });
    } catch (error) {
      if (error instanceof PagesLost) this.#soundEnd = before;
      this.#isStale = true;
      this.#reload();
      throw error;
    }
    if (this.#soundEnd !== null && this.state.head.sequence >= this.#soundEnd.sequence) {
      this.#soundEnd = null;
      this.commit();
    }
    // Listeners for days copy the database.
    if (isNewDay()) this.commit();
    const { milliseconds } = this.#time;
    if (isNewDay()) for (const listener of this.#dayListeners) this.#tell(listener, outcomes);
    for (const listener of this.#listeners) this.#tell(listener, outcomes);
    this.#applied.ring();
    const applied = entries.slice(0, outcomes.length);
    if (this.#watchers.size > 0) {
      const page = { entries: applied.map((entry) => this.#need(entry)), outcomes, milliseconds };
      for (const watcher of this.#watchers) this.#tell(() => watcher(page), outcomes);
    }
    return entries.slice(outcomes.length);
  }

  /** The entries that are applied at once, and the head of the log behind them. */
  #cut(entries: ReadPage["entries"], head: LogHead): { part: ReadPage["entries"]; end: LogHead } {
    const sound = this.#soundEnd;
    const count = sound === null ? entries.length : sound.sequence - this.state.head.sequence;
    if (sound === null || count >= entries.length) return { part: entries, end: head };
    return { part: entries.slice(0, count), end: sound };
  }

  /** Drops what the memory has of a page that was rolled back. If the rows cannot be read, the next run does it. */
  #reload(): void {
    this.state.reload();
    this.#consumers.reload();
    this.#isStale = false;
  }

  #tell(listener: AppliedListener, outcomes: readonly Outcome[]): void {
    const { onListenerError } = this.#parts;
    try {
      listener(outcomes);
    } catch (error) {
      if (onListenerError === undefined) throw error;
      onListenerError(error);
    }
  }

  #applyEntry(entry: Parsed<LogEntry>): Outcome {
    const outcome = this.#parts.transition.apply(this.#need(entry), this.state);
    this.#consumers.absorbNext(outcome);
    return outcome;
  }

  /** True if the entry has the hash of the last one that was applied: that one is not damaged, and can be told. */
  #isNamedBy(next: Parsed<LogEntry> | undefined): boolean {
    return next?.ok === true && next.value.previousHash === this.state.head.entryHash;
  }

  /** A damaged entry does not match the hash in the entry after it; the last entry is checked against the log's head. */
  #checkEnd({ sequence, entryHash }: LogHead): void {
    const { head } = this.state;
    if (head.sequence === sequence && head.entryHash === entryHash) return;
    throw new ReplicaHalt(
      `the log is damaged: it says that entry ${sequence} has hash ${entryHash}, ` +
        `but its entries end with ${head.sequence}, which has ${head.entryHash}`,
    );
  }

  #need(entry: Parsed<LogEntry>): LogEntry {
    if (entry.ok) return entry.value;
    throw new ReplicaHalt(`the log is damaged behind entry ${this.state.head.sequence}: ${entry.error}`);
  }

  /** The last applied entry must be an entry of this log. */
  async #checkLog(signal: AbortSignal): Promise<void> {
    const { log, hash } = this.#parts;
    const { sequence, entryHash } = this.state.head;
    const head = await log.head();
    if (head.sequence < sequence) {
      throw new ReplicaHalt(
        `the log ends with entry ${head.sequence}, but this replica has applied ${sequence}: the log lost its tail. ${HOW_TO_RESTORE}`,
      );
    }
    if (sequence === 0 || isStart(await log.start(), { sequence, entryHash })) return;
    const only = new AbortController();
    for await (const page of log.follow(sequence - 1, AbortSignal.any([signal, only.signal]))) {
      only.abort();
      const [bytes] = page.entries;
      const entry = parseLogEntry(bytes ?? "");
      if (!entry.ok) throw new ReplicaHalt(`the log is damaged at entry ${sequence}: ${entry.error}`);
      if (hashLogEntry(hash, entry.value) !== entryHash) {
        throw new ReplicaHalt(
          `entry ${sequence} of the log is not the one this replica applied: it is another log`,
        );
      }
    }
  }
}

/** True if the log begins behind this entry: it has its hash. */
function isStart(start: LogHead, { sequence, entryHash }: LogHead): boolean {
  if (start.sequence !== sequence) return false;
  if (start.entryHash === entryHash) return true;
  throw new ReplicaHalt(
    `the log begins behind another entry ${sequence} than this replica applied: it is another log`,
  );
}
