/**
 * Scan's index in a process that does not write it. Calls of one turn read one state of the database, and the record time that
 * they are answered with is that state's: a snapshot begins with the first call of the turn, and ends with the turn, so that
 * the writer's checkpoints never wait long for a reader.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Timers } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { ScanIndex, type ScanIndexOptions } from "./scan-index.ts";
import type { ScanSource } from "./scan-source.ts";

export class ScanReader implements ScanSource {
  readonly index: ScanIndex;
  readonly #database: DatabaseSync;
  readonly #timers: Timers;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #readVersion: StatementSync;
  readonly #listeners = new Set<() => void>();
  #version: bigint | null = null;
  #isOpen = false;

  /** The database is opened as read only. */
  constructor(database: DatabaseSync, timers: Timers, options: ScanIndexOptions = {}) {
    this.#database = database;
    this.#timers = timers;
    this.#begin = database.prepare("begin");
    this.#end = database.prepare("commit");
    // It changes with every commit of another connection.
    this.#readVersion = database.prepare("pragma data_version");
    this.#readVersion.setReturnArrays(true);
    this.index = new ScanIndex(new SqliteState(database, { readOnly: true }), options);
  }

  readonly refresh = (): void => {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#timers.soon(this.#endTurn);
    try {
      this.#moveOn();
    } catch (error) {
      this.index.reload();
      this.#endTurn();
      throw error;
    }
  };

  readonly onApplied = (listener: () => void): void => {
    this.#listeners.add(listener);
  };

  /** The writer has committed. */
  readonly follow = (): void => {
    this.refresh();
    for (const listener of this.#listeners) listener();
  };

  #moveOn(): void {
    const [version] = this.#readVersion.get() as unknown as readonly [bigint];
    if (version === this.#version) return;
    this.index.moveOn();
    this.#version = version;
  }

  readonly #endTurn = (): void => {
    this.#isOpen = false;
    if (this.#database.isOpen && this.#database.isTransaction) this.#end.run();
  };
}
