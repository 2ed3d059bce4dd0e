/**
 * The transactions of a replica whose log keeps the entries: pages that come within a moment share one, so that a row which
 * several of them change is written once. Nothing is lost with a transaction that was open: the replica goes on where its rows
 * stand, and applies the entries again. So it does with the pages that a failing one takes along. A replica whose log is
 * elsewhere commits every slice of a page at once.
 */
import type { DatabaseSync } from "node:sqlite";
import { type Host, inTransaction, nextTurn, SharedTransaction, sleep } from "@callsign/node";
import {
  COMMIT_ENTRIES,
  COMMIT_MILLISECONDS,
  COMMIT_PAUSE_MILLISECONDS,
  COMMIT_SLICES,
  COMMIT_SPREAD_MILLISECONDS,
  SLICE_MILLISECONDS,
} from "../limits/limits.ts";

export interface PageTransactionsParts {
  readonly database: DatabaseSync;
  readonly host: Pick<Host, "timers" | "clock" | "randomness">;
  /** True if pages may share a transaction. */
  readonly shared: boolean;
  /** Writes some of what waits for the end of a transaction, until the time is over. True if nothing is left to it. */
  readonly saveUntil: (isOver: () => boolean) => boolean;
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
    const { timers, randomness } = parts.host;
    this.#parts = parts;
    this.#open = new SharedTransaction({
      ...parts,
      timers,
      // The replicas of one process apply the same pages at once: each commits them at a moment of its own.
      milliseconds: () => COMMIT_MILLISECONDS + randomness.fraction() * COMMIT_SPREAD_MILLISECONDS,
      most: Number.POSITIVE_INFINITY,
      onTime: () => void this.#commitInSlices(() => sleep(COMMIT_PAUSE_MILLISECONDS, { timers })),
    });
  }

  /**
   * Keeps all that the work does, or nothing, and returns its outcomes, one for each entry. Throws a `PagesLost` if work before it
   * is gone as well.
   */
  run<T>(work: () => readonly T[]): readonly T[] {
    const { database, shared, beforeCommit, onCommitted } = this.#parts;
    if (!shared) {
      const kept = inTransaction(database, () => {
        const outcomes = work();
        beforeCommit();
        return outcomes;
      });
      onCommitted();
      return kept;
    }
    const outcomes = this.#runOpen(work);
    this.#open.add(outcomes.length);
    return outcomes;
  }

  /** Throws if the disk takes no more: then the pages since the last commit are gone. */
  commit(): void {
    this.#open.commit();
  }

  /** Commits if there is enough for it. Call before any other work. */
  async makeRoom(): Promise<void> {
    if (this.#open.size >= COMMIT_ENTRIES)
      await this.#commitInSlices(() => nextTurn(this.#parts.host.timers));
  }

  #runOpen<T>(work: () => readonly T[]): readonly T[] {
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

  /** Others of this process have their turn between slices of what waits for the commit. */
  async #commitInSlices(giveWay: () => Promise<void>): Promise<void> {
    try {
      for (let slices = 0; slices < COMMIT_SLICES && !this.#saveSlice(); slices++) await giveWay();
      this.commit();
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  /** True if nothing is left for another slice. */
  #saveSlice(): boolean {
    const { host, saveUntil } = this.#parts;
    const { clock } = host;
    if (this.#open.size === 0) return true;
    const begun = clock.elapsedMilliseconds();
    return this.#open.run(() => saveUntil(() => clock.elapsedMilliseconds() - begun >= SLICE_MILLISECONDS));
  }
}
