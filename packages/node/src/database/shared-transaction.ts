/**
 * A transaction that stays open for a moment, for work that is done again if it is lost: a page of the database that several
 * change is written once.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Timer, Timers } from "../host/host.ts";
import { asUnwritable, unwritableBy } from "./open-database.ts";

export interface SharedTransactionParts {
  readonly database: DatabaseSync;
  readonly timers: Timers;
  /** The time after its first work at which it ends. */
  readonly milliseconds: () => number;
  /** The parts of work with which it ends. */
  readonly most: number;
  /** Called when its time is over: it is to be committed. */
  readonly onTime: () => void;
  /** Writes what waits for the end of a transaction. */
  readonly beforeCommit?: () => void;
  /** Told after every commit: other connections see the work from then on. */
  readonly onCommitted?: () => void;
}

export class SharedTransaction {
  readonly #parts: SharedTransactionParts;
  #timer: Timer | undefined;
  #size = 0;

  constructor(parts: SharedTransactionParts) {
    this.#parts = parts;
  }

  /** The parts of work since the last commit. */
  get size(): number {
    return this.#size;
  }

  /** Call before work. Throws if the work since the last commit is gone. */
  begin(): void {
    const { database } = this.#parts;
    this.#checkOpen();
    if (!database.isTransaction) database.exec("begin immediate");
  }

  /** Does work, in the transaction if it is open. */
  run<T>(work: () => T): T {
    try {
      this.#checkOpen();
      return work();
    } catch (error) {
      throw this.giveUp(error);
    }
  }

  /** Call behind work that is done. Commits if there is enough of it. */
  add(parts: number): void {
    const { timers, milliseconds, most, onTime } = this.#parts;
    this.#size += parts;
    if (this.#size >= most) this.commit();
    else this.#timer ??= timers.set(onTime, milliseconds());
  }

  /** Throws if the disk takes no more: then the work since the last commit is gone. */
  commit(): void {
    const { database, beforeCommit, onCommitted } = this.#parts;
    if (!database.isOpen || (!database.isTransaction && this.#size === 0)) {
      this.#end();
      return;
    }
    try {
      this.#checkOpen();
      beforeCommit?.();
      database.exec("commit");
    } catch (error) {
      throw this.giveUp(error);
    }
    this.#end();
    onCommitted?.();
  }

  /** Takes back all work since the last commit. A full disk, among other errors, may have ended the transaction already. */
  giveUp(error: unknown): unknown {
    const { database } = this.#parts;
    if (database.isTransaction) database.exec("rollback");
    this.#end();
    return asUnwritable(error, database.location());
  }

  /** A statement outside the work may have met a full disk, which ends the transaction. */
  #checkOpen(): void {
    const { database } = this.#parts;
    if (this.#size === 0 || database.isTransaction) return;
    throw unwritableBy(new Error("a transaction has ended before its commit"), database.location());
  }

  #end(): void {
    this.#parts.timers.clear(this.#timer);
    this.#timer = undefined;
    this.#size = 0;
  }
}
