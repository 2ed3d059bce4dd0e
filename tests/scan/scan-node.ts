/** A log and SV nodes on it, each a replica with scan's index, fed with what a simulated network does. */

import type { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import {
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { ScanIndex, type ScanIndexOptions } from "../../packages/scan/src/rows/scan-index.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { catchUp } from "../support/catch-up.ts";

/** The log of a simulated network, on disk. */
export class NetworkLog {
  readonly log: SqliteLog;
  readonly #entries: readonly LogEntry[];
  #appended = 0;

  constructor(path: string, network: { readonly log: readonly LogEntry[] }) {
    this.log = new SqliteLog(path, systemHost);
    this.#entries = network.log;
  }

  /** Appends what the network has done since the last time, or as far as an entry. */
  async append(end: number = this.#entries.length): Promise<void> {
    const batch = this.#entries.slice(this.#appended, end);
    const last = batch.at(-1);
    if (last === undefined) return;
    const head = { sequence: last.sequence, entryHash: hashLogEntry(sha256, last) };
    const answer = await this.log.append({
      after: await this.log.head(),
      head,
      entries: batch.map(formatLogEntry),
    });
    if (!answer.appended) throw new Error(`the log ends with ${answer.head.sequence}`);
    this.#appended = last.sequence;
  }

  async close(): Promise<void> {
    await this.log.close();
  }
}

export interface ScanNodeOptions extends ScanIndexOptions {
  /** Consumers that the replica calls after scan's. */
  readonly consumers?: (index: ScanIndex) => readonly ReplicaConsumer[];
}

export class ScanNode {
  readonly database: DatabaseSync;
  readonly index: ScanIndex;
  readonly replica: Replica;
  readonly #log: SqliteLog;

  constructor(log: SqliteLog, path: string, options: ScanNodeOptions = {}) {
    this.#log = log;
    this.database = openDatabase(path);
    this.index = new ScanIndex(new SqliteState(this.database), options);
    this.replica = new Replica({
      state: this.index.state,
      log,
      timers: systemHost.timers,
      transition: newTransition(),
      hash: sha256,
      consumers: [this.index, ...(options.consumers?.(this.index) ?? [])],
    });
  }

  /** Follows the log to its end and stops there; rejects if the replica stops before. */
  catchUp(): Promise<void> {
    return catchUp(this.replica, this.#log);
  }

  close(): void {
    this.database.close();
  }
}

/** Turns an index into one of the first: without a version, without recorded kinds, with a position of its own. */
export const FORMER_INDEX = `
  delete from store_version where store = 'scan';
  delete from consumer_kind where consumer = 'scan';
  create table scan_position as select sequence from head;
`;
