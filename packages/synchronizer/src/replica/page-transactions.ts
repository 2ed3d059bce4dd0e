/**
 * The transactions of a replica whose log keeps the entries: pages that come within a moment share one, so that a row which
 * several of them change is written once. Nothing is lost with a transaction that was open: the replica goes on where its rows
 * stand, and applies the entries again. A replica whose log is elsewhere commits every page at once.
 */
import type { DatabaseSync } from "node:sqlite";
import { asUnwritable, inTransaction, type Timer, type Timers } from "@callsign/node";
import { COMMIT_ENTRIES, COMMIT_MILLISECONDS } from "../limits/limits.ts";

export interface PageTransactionsParts {
  readonly database: DatabaseSync;
  readonly timers: Timers;
  /** True if pages may share a transaction. */
  readonly shared: boolean;
  /** Told that a commit failed by itself: the pages since the one before are gone. */
  readonly onFailure: (error: unknown) => void;
  /** Told after every commit: other connections see the pages from then on. */
  readonly onCommitted: () => void;
}

export class PageTransactions {
  readonly #parts: PageTransactionsParts;
  #timer: Timer | undefined;
  #entries = 0;

  constructor(parts: PageTransactionsParts) {
    this.#parts = parts;
  }

  /** Keeps all of a page of so many entries, or nothing. */
  run<T>(entries: number, work: () => T): T {
    const { database, timers, shared, onCommitted } = this.#parts;
    if (!shared) {
      const kept = inTransaction(database, work);
      onCommitted();
      return kept;
    }
    const result = this.#runPage(work);
    this.#entries += entries;
    if (this.#entries >= COMMIT_ENTRIES) this.commit();
    else this.#timer ??= timers.set(() => this.#commitInTime(), COMMIT_MILLISECONDS);
    return result;
  }

  /** Throws if the disk takes no more: then the pages since the last commit are gone. */
  commit(): void {
    const { database, timers } = this.#parts;
    timers.clear(this.#timer);
    this.#timer = undefined;
    this.#entries = 0;
    if (!database.isOpen || !database.isTransaction) return;
    try {
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw asUnwritable(error, database.location());
    }
    this.#parts.onCommitted();
  }

  #runPage<T>(work: () => T): T {
    const { database } = this.#parts;
    try {
      if (!database.isTransaction) database.exec("begin immediate");
      database.exec("savepoint page");
      const result = work();
      database.exec("release page");
      return result;
    } catch (error) {
      // A full disk, among other errors, may have ended the whole transaction.
      if (database.isTransaction) database.exec("rollback to page; release page");
      throw asUnwritable(error, database.location());
    }
  }

  #commitInTime(): void {
    try {
      this.commit();
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }
}
