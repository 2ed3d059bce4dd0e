/** A replica with its database and member streams, as an SV runs it, and how to bring it to a point in the log. */

import type { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import type { Transition } from "../../packages/ledger/src/transition/transition.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { MemberStreams } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { catchUp } from "../support/catch-up.ts";

export interface TestNodeParts {
  readonly log: OrderedLog;
  /** The database's file; in memory if omitted. */
  readonly file?: string;
  /** Consumers beside the member streams, given the database they write to. */
  readonly consumers?: (database: DatabaseSync) => readonly ReplicaConsumer[];
  readonly transition?: Transition;
}

export class TestNode {
  readonly database: DatabaseSync;
  readonly streams: MemberStreams;
  readonly replica: Replica;
  readonly #log: OrderedLog;

  constructor({ log, file = ":memory:", consumers = () => [], transition = newTransition() }: TestNodeParts) {
    this.#log = log;
    this.database = openDatabase(file);
    this.streams = new MemberStreams(this.database, sha256);
    this.replica = new Replica({
      state: new SqliteState(this.database),
      log,
      timers: systemHost.timers,
      transition,
      hash: sha256,
      consumers: [this.streams, ...consumers(this.database)],
    });
  }

  /** Follows the log to an entry, or to its end, and stops there. */
  catchUp(sequence?: number): Promise<void> {
    return catchUp(this.replica, this.#log, sequence);
  }

  close(): void {
    this.database.close();
  }
}
