/**
 * Commits that transactions of the embedded store share, because their rows would come again. If such a commit fails, they are
 * lost: losses are counted, and the owner is told as of a server that lost commits.
 */
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../host/host.ts";
import { SharedTransaction } from "./shared-transaction.ts";

/** The time, and the transactions, that share a commit. */
const SHARED = { milliseconds: () => 1000, most: 500 };
/** With less room on the disk each transaction is committed by itself: it would not be told that its commit failed. */
const ROOM_BYTES = 64_000_000;

export interface SharedCommitsParts {
  readonly database: DatabaseSync;
  readonly host: Pick<Host, "files" | "timers">;
  /** Called when the time of a commit has come. */
  readonly onTime: () => void;
}

export class SharedCommits {
  readonly #database: DatabaseSync;
  readonly #transaction: SharedTransaction;
  readonly #hasRoom: () => boolean;
  #losses = 0;
  #tellLoss: () => void = () => undefined;

  constructor({ database, host, onTime }: SharedCommitsParts) {
    const path = database.location();
    this.#database = database;
    this.#transaction = new SharedTransaction({ database, timers: host.timers, ...SHARED, onTime });
    this.#hasRoom = () => path === null || host.files.freeBytes(dirname(path)) >= ROOM_BYTES;
  }

  /** The number of times that transactions were lost. */
  get losses(): number {
    return this.#losses;
  }

  onLoss(found: () => void): void {
    this.#tellLoss = found;
  }

  /** True while work waits for its commit. */
  get isOpen(): boolean {
    return this.#transaction.size > 0;
  }

  /** False if the next transaction is to have a commit of its own. */
  get hasRoom(): boolean {
    return this.isOpen || this.#hasRoom();
  }

  /** Runs the work in the open transaction. If it fails, it alone is taken back. `add` or `commit` behind it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#transaction.begin();
      this.#database.exec("savepoint work");
      const result = await work();
      this.#database.exec("release work");
      return result;
    } catch (error) {
      if (this.isOpen && this.#database.isTransaction) this.#database.exec("rollback to work; release work");
      else this.#giveUp(error);
      throw error;
    }
  }

  /** The work that was run waits for a commit with others. */
  add(): void {
    this.#orLoss(() => this.#transaction.add(1));
  }

  commit(): void {
    this.#orLoss(() => this.#transaction.commit());
  }

  #giveUp(error: unknown): void {
    const hasLost = this.isOpen;
    this.#transaction.giveUp(error);
    if (hasLost) this.#countLoss();
  }

  /** A commit that fails loses transactions that were told to be kept. */
  #orLoss(commit: () => void): void {
    try {
      commit();
    } catch (error) {
      this.#countLoss();
      throw error;
    }
  }

  #countLoss(): void {
    this.#losses++;
    this.#tellLoss();
  }
}
