/**
 * The transactions of a replica whose log keeps the entries: pages that come within a moment share one, so that a row which
 * several of them change is written once. Nothing is lost with a transaction that was open: the replica goes on where its rows
 * stand, and applies the entries again. So it does with the pages that a failing one takes along. A replica whose log is
 * elsewhere commits every page at once.
 */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, SharedTransaction, type Timers } from "@callsign/node";
import { COMMIT_ENTRIES, COMMIT_MILLISECONDS } from "../limits/limits.ts";

export interface PageTransactionsParts {
  readonly database: DatabaseSync;
  readonly timers: Timers;
  /** True if pages may share a transaction. */
  readonly shared: boolean;
  /** Writes what waits for the end of a transaction. */
  readonly beforeCommit: () => void;
  /** Told that a commit failed by itself: the pages since the one before are gone. */
  readonly onFailure: (error: unknown) => void;
  /** Told after every commit: other connections see the pages from then on. */
  readonly onCommitted: () => void;
}

/** A page failed, and pages before it, which were sound, are gone with it. */
export class PagesLost extends Error {
  override readonly name = "PagesLost";
}

export class PageTransactions {
  readonly #parts: PageTransactionsParts;
  readonly #open: SharedTransaction;

  constructor(parts: PageTransactionsParts) {
    this.#parts = parts;
    this.#open = new SharedTransaction({
      ...parts,
      milliseconds: COMMIT_MILLISECONDS,
      most: COMMIT_ENTRIES,
      onTime: () => this.#commitInTime(),
    });
  }

  /** Keeps all of a page of so many entries, or nothing. Throws a `PagesLost` if pages before it are gone as well. */
  run<T>(entries: number, work: () => T): T {
    const { database, shared, beforeCommit, onCommitted } = this.#parts;
    if (!shared) {
      const kept = inTransaction(database, () => {
        const result = work();
        beforeCommit();
        return result;
      });
      onCommitted();
      return kept;
    }
    const result = this.#runPage(work);
    this.#open.add(entries);
    return result;
  }

  /** Throws if the disk takes no more: then the pages since the last commit are gone. */
  commit(): void {
    this.#open.commit();
  }

  #runPage<T>(work: () => T): T {
    const isFirst = this.#open.size === 0;
    try {
      this.#open.begin();
      return work();
    } catch (error) {
      const cause = this.#open.giveUp(error);
      throw isFirst
        ? cause
        : new PagesLost("a page failed, and those before it are applied again", { cause });
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
