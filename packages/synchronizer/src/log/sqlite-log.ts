/**
 * The log in SQLite: one file, one process. Appends of the same moment are written in one transaction, which another thread
 * puts on disk (decision 0068). Appends that arrive meanwhile share the next one. Nobody sees an entry before it is on disk.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  Bell,
  copyDatabase,
  DatabaseDamaged,
  type Host,
  inTransaction,
  isDamage,
  isSqliteDamage,
  migrateDatabase,
  nextTurn,
  PackedTextDamaged,
  StoreUnwritable,
  setSynced,
  type Timers,
  unwritableBy,
  WalSync,
} from "@callsign/node";
import { COPY_PAGE, LOG_PAGE, LOG_PAGE_CHARACTERS, TRIMMED_AT_ONCE } from "../limits/limits.ts";
import { isSameHead } from "./append-group.ts";
import { previousHashOf } from "./entry-hashes.ts";
import {
  type Appended,
  checkSize,
  type LogBatch,
  type LogHead,
  type LogPage,
  LogTrimmed,
  type OrderedLog,
} from "./ordered-log.ts";
import { EntryRows, findLogDamage, logMigrations, prepareHead, readLogHead } from "./sqlite-log-rows.ts";

/** One file has one server. */
const TERM = "sqlite";

/** The part of a log by which its stored entries are read at once. */
export type StoredEntries = Pick<SqliteLog, "head" | "start" | "findHash" | "readBehind">;

interface WaitingAppend {
  readonly batch: LogBatch;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export class SqliteLog implements OrderedLog {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #entries: EntryRows;
  readonly #saveHead: StatementSync;
  /** Null for a log in memory. */
  readonly #wal: WalSync | null;
  /** The last entry on disk. */
  #head: LogHead;
  /** The last entry in the file, which may not be on disk yet. */
  #written: LogHead;
  /** The last entry of the batches that wait and fit one behind the other. */
  #tail: LogHead;
  #start: LogHead;
  readonly #waiting: WaitingAppend[] = [];
  #writing: Promise<void> | null = null;
  /** The failed sync behind which nobody knows what is on disk. The next process reads it. */
  #failure: StoreUnwritable | null = null;
  #closed = false;
  #copying: Promise<void> = Promise.resolve();
  /** The page that was read last: the SVs of one process follow the log side by side. */
  #lastRead: { readonly after: number; readonly page: LogPage } | null = null;
  readonly #timers: Timers;
  /** Rings when the log has changed. */
  readonly #changed: Bell;

  constructor(path: string, { timers, files }: Host) {
    this.#timers = timers;
    this.#changed = new Bell(timers);
    this.path = path;
    this.#database = files.openDatabase(path, { exclusive: true, owner: "log" });
    try {
      migrateDatabase(this.#database, logMigrations);
      this.#entries = new EntryRows(this.#database);
      this.#saveHead = prepareHead(this.#database);
      this.#head = readLogHead(this.#database, "head");
      this.#start = readLogHead(this.#database, "start");
      const damage = findLogDamage(this.#entries, this.#head, this.#start);
      if (damage !== null) throw new Error(damage);
      this.#written = this.#head;
      this.#tail = this.#head;
      this.#wal = this.#database.location() === null ? null : new WalSync(path);
      setSynced(this.#database, false);
    } catch (error) {
      this.#database.close();
      throw isDamage(error) ? this.#damaged(error) : error;
    }
  }

  readonly head = async (): Promise<LogHead> => this.#head;

  readonly tail = (): LogHead => this.#tail;

  readonly start = async (): Promise<LogHead> => this.#start;

  readonly term = async (): Promise<string> => TERM;

  readonly keptFirst = async (): Promise<string | null> => {
    const row = this.#database.prepare("select bytes from first").get();
    return row === undefined ? null : String(row["bytes"]);
  };

  /** The hash of an entry that is there, or of the one before the first; null otherwise. */
  readonly findHash = (sequence: number): string | null => {
    if (sequence === this.#start.sequence) return this.#start.entryHash;
    if (sequence < this.#start.sequence || sequence > this.#head.sequence) return null;
    return this.#hashOf(sequence);
  };

  /** A page of the entries behind one that is there; an empty one behind the last. */
  readonly readBehind = (after: number): LogPage => {
    if (after < this.#start.sequence) throw new LogTrimmed(after, this.#start);
    return this.#readSound(after, COPY_PAGE);
  };

  /** Removes the entries behind this one, which is an entry of the log. For copies alone: a log only grows. */
  readonly cutBehind = ({ sequence, entryHash }: LogHead): void => {
    if (this.findHash(sequence) !== entryHash)
      throw new Error(`the log has no entry ${sequence} with hash ${entryHash} behind which it could be cut`);
    this.#inSynced(() => {
      this.#database.prepare("delete from entry where sequence > ?").run(sequence);
      if (sequence === 0) this.#database.exec("delete from head");
      else this.#saveHead.run(sequence, entryHash);
    });
    this.#replaceHead({ sequence, entryHash });
  };

  readonly append = (batch: LogBatch): Promise<Appended> =>
    new Promise((resolve, reject) => {
      checkSize(batch);
      if (this.#closed) throw new Error("the log is closed");
      if (this.#failure !== null) throw this.#failure;
      if (fits(batch, this.#tail)) this.#tail = batch.head;
      this.#waiting.push({ batch, resolve, reject });
      this.#writing ??= this.#writeAll();
    });

  readonly unwritable = (): string | null => {
    if (this.#failure !== null) return this.#failure.reason;
    const { sequence, entryHash } = this.#written;
    try {
      if (sequence > 0 && !this.#closed) this.#inSynced(() => this.#saveHead.run(sequence, entryHash));
      return null;
    } catch (error) {
      return error instanceof StoreUnwritable ? error.reason : "the log cannot be written";
    }
  };

  readonly trim = async (upTo: number): Promise<void> => {
    while (this.#start.sequence < upTo && !this.#closed) {
      const sequence = Math.min(upTo, this.#start.sequence + TRIMMED_AT_ONCE);
      const start = { sequence, entryHash: this.#hashOf(sequence) };
      this.#inSynced(() => {
        this.#keepFirst();
        this.#database.prepare("delete from entry where sequence <= ?").run(sequence);
        this.#saveStart(start);
      });
      await nextTurn(this.#timers);
    }
  };

  /** Drops all entries: the log goes on behind an entry that it does not have. `first` is the first entry of all. */
  readonly beginBehind = async (start: LogHead, first: string): Promise<void> => {
    this.#inSynced(() => {
      this.#database.exec("delete from entry");
      this.#database.prepare("insert or replace into first (one, bytes) values (1, ?)").run(first);
      this.#saveHead.run(start.sequence, start.entryHash);
      this.#saveStart(start);
    });
    this.#replaceHead(start);
    this.#changed.ring();
  };

  #keepFirst(): void {
    for (const entry of this.#entries.list({ after: 0, until: 1, limit: 1 }))
      this.#database.prepare("insert or ignore into first (one, bytes) values (1, ?)").run(entry);
  }

  #replaceHead(head: LogHead): void {
    this.#head = head;
    this.#written = head;
    this.#tail = head;
    this.#lastRead = null;
  }

  /** A synced commit syncs earlier commits as well. */
  #inSynced(work: () => void): void {
    setSynced(this.#database, true);
    try {
      inTransaction(this.#database, work);
    } finally {
      setSynced(this.#database, false);
    }
  }

  #saveStart(start: LogHead): void {
    this.#database
      .prepare("insert or replace into start (one, sequence, hash) values (1, ?, ?)")
      .run(start.sequence, start.entryHash);
    this.#start = start;
  }

  /** Copies the log as it is now into a file, while entries are appended. */
  readonly copyTo = async (path: string): Promise<void> => {
    const copying = copyDatabase(this.#database, path);
    this.#copying = copying.catch(() => undefined);
    await copying;
  };

  readonly close = async (): Promise<void> => {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.#copying;
    await this.#wal?.close();
    this.#database.close();
    this.#changed.ring();
  };

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    let last = after;
    while (!signal.aborted && !this.#closed) {
      if (last < this.#start.sequence) throw new LogTrimmed(last, this.#start);
      if (last >= this.#head.sequence) {
        await this.#changed.wait({ signal });
        continue;
      }
      const page = this.#readWhole(last);
      last = page.head.sequence;
      yield page;
      // Other work gets its turn while a follower catches up on a long log.
      await nextTurn(this.#timers);
    }
  }

  #readWhole(after: number): LogPage {
    if (this.#lastRead?.after === after) return this.#lastRead.page;
    const page = this.#readSound(after, LOG_PAGE);
    this.#lastRead = { after, page };
    return page;
  }

  #readSound(after: number, most: number): LogPage {
    try {
      return this.#readPage(after, most);
    } catch (error) {
      throw isSqliteDamage(error) || error instanceof PackedTextDamaged ? this.#damaged(error) : error;
    }
  }

  /** Nothing else has the entries: the log cannot be rebuilt. */
  #damaged(cause: unknown): DatabaseDamaged {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new DatabaseDamaged(`the log ${this.path} is damaged: ${reason}. Restore it from a copy`, {
      cause,
    });
  }

  /** The hash of a page's last entry stands in the entry after it, or in the head. */
  #readPage(after: number, most: number): LogPage {
    const entries: string[] = [];
    let characters = 0;
    const range = { after, until: this.#head.sequence, limit: most + 1 };
    for (const bytes of this.#entries.list(range)) {
      characters += bytes.length;
      if (entries.length > 0 && (entries.length === most || characters > LOG_PAGE_CHARACTERS))
        return { entries, head: { sequence: after + entries.length, entryHash: previousHashOf(bytes) } };
      entries.push(bytes);
    }
    return { entries, head: this.#head };
  }

  /** The hash of an entry stands in the one after it, or in the head. Throws if the log has no such entry. */
  #hashOf(sequence: number): string {
    const { head } = this.#readPage(sequence - 1, 1);
    if (head.sequence === sequence) return head.entryHash;
    throw new Error(`the log has no entry ${sequence}: it ends with ${this.#head.sequence}`);
  }

  async #writeAll(): Promise<void> {
    // All appends of this turn of the event loop share the transaction.
    await nextTurn(this.#timers);
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0));
    this.#writing = null;
  }

  /** Writes the batches in one transaction; a batch that expects another head gets the current one. */
  async #write(waiting: readonly WaitingAppend[]): Promise<void> {
    const before = this.#written;
    let answers: readonly Appended[];
    try {
      answers = inTransaction(this.#database, () => waiting.map(({ batch }) => this.#insertBatch(batch)));
    } catch (error) {
      this.#written = before;
      this.#tail = before;
      this.#entries.reload();
      return reject(waiting, error);
    }
    const written = this.#written;
    try {
      await this.#wal?.sync();
    } catch (error) {
      this.#failure = unwritableBy(error as Error, this.path);
      return reject([...waiting, ...this.#waiting.splice(0)], this.#failure);
    }
    // The log may have been cut meanwhile.
    if (this.#written === written) this.#head = written;
    for (const [i, answer] of answers.entries()) waiting[i]?.resolve(answer);
    this.#changed.ring();
  }

  #insertBatch(batch: LogBatch): Appended {
    const current = this.#written;
    if (!fits(batch, current)) return { appended: false, head: current, term: TERM };
    const { after, head, entries } = batch;
    for (const [i, bytes] of entries.entries()) this.#entries.insert(after.sequence + 1 + i, bytes);
    this.#saveHead.run(head.sequence, head.entryHash);
    this.#written = head;
    return { appended: true };
  }
}

function fits({ after, term = TERM }: LogBatch, head: LogHead): boolean {
  return term === TERM && isSameHead(after, head);
}

function reject(waiting: readonly WaitingAppend[], error: unknown): void {
  for (const each of waiting) each.reject(error);
}
