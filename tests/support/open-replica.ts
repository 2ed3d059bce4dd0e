/** One replica with its database and the consumers that a test names, without the rest of an SV's node. */
import { type Clock, type Randomness, systemHost, type Timers } from "@callsign/node";
import type { Transition } from "../../packages/ledger/src/transition/transition.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { catchUp } from "../../packages/synchronizer/src/replica/catch-up.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { newTransition } from "../golden-log/replay-digests.ts";

export interface ReplicaOptions {
  readonly log: OrderedLog;
  /** The database's file; in memory if omitted. */
  readonly file?: string | undefined;
  readonly transition?: Transition;
  readonly sharedCommits?: boolean;
  readonly timers?: Timers;
  /** It stands still if omitted, so that every page is applied in one slice. */
  readonly clock?: Clock;
  /** If omitted, commits are as early as they can be. */
  readonly randomness?: Randomness;
}

const STILL: Clock = { ...systemHost.clock, elapsedMilliseconds: () => 0 };
const PUNCTUAL: Randomness = { ...systemHost.randomness, fraction: () => 0 };

export type NamedConsumers = Readonly<Record<string, ReplicaConsumer>>;

/** The replica calls its consumers in their order. */
export function openReplica<C extends NamedConsumers>(
  {
    log,
    file = ":memory:",
    transition = newTransition(),
    sharedCommits = false,
    timers = systemHost.timers,
    clock = STILL,
    randomness = PUNCTUAL,
  }: ReplicaOptions,
  makeConsumers: (state: SqliteState) => C,
) {
  const database = openDatabase(file);
  const state = new SqliteState(database);
  const consumers = makeConsumers(state);
  const host = { timers, clock, randomness };
  const replica = new Replica({
    ...{ state, log, host, transition, sharedCommits, hash: sha256 },
    consumers: Object.values(consumers),
  });
  return {
    ...{ ...consumers, database, replica },
    /** Follows the log to an entry, or to its end, and stops there. Rejects if the replica stops before. */
    catchUp: (sequence?: number) => catchUp(replica, log, sequence),
    close: () => database.close(),
  };
}
