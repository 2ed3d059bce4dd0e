/**
 * Runs an SV's replica. A failure to write, as on a full disk, is retried until it passes; a log that must not be applied,
 * or any other error, ends the replica.
 */
import {
  asPassingFailure,
  Backoff,
  DatabaseDamaged,
  isSqliteDamage,
  type Log,
  type MemberIdentity,
  retry,
  type StoreUnwritable,
  type Timers,
} from "@callsign/node";
import type { OrderedLog, Replica } from "@callsign/synchronizer";
import { REPLICA_RETRY } from "./limits/limits.ts";

interface FollowerParts {
  readonly replica: Replica;
  readonly orderedLog: OrderedLog;
  readonly identity: MemberIdentity;
  readonly timers: Timers;
  readonly log: Log;
  /** Has the database rebuilt at the next start. */
  readonly markDamaged: (reason: string) => void;
}

export interface Follower {
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  /** The error that stopped the replica for good; null while it runs. */
  readonly failure: () => Error | null;
  /** Stops the replica if the error shows that its database is damaged. */
  readonly checkDamage: (error: unknown) => void;
  /**
   * The failure to write that keeps the replica behind the log. It is there until the replica has caught up: the
   * state can be read, and nobody may act on it.
   */
  readonly trouble: () => StoreUnwritable | null;
  readonly stop: () => Promise<void>;
}

export function followLog(parts: FollowerParts): Follower {
  const { replica, orderedLog, identity, timers, log } = parts;
  const aborting = new AbortController();
  const { signal } = aborting;
  const ended = new AbortController();
  const backoff = new Backoff(REPLICA_RETRY);
  let failure: Error | null = null;
  let trouble: StoreUnwritable | null = null;
  let goal = 0;
  const checkCaughtUp = () => {
    if (trouble !== null && replica.state.head.sequence >= goal) trouble = null;
  };
  replica.onApplied(() => {
    backoff.reset();
    checkCaughtUp();
  });
  const run = async () => {
    if (trouble !== null) goal = (await orderedLog.head()).sequence;
    checkCaughtUp();
    await replica.run(signal);
  };
  const onFailure = (error: unknown) => {
    const passing = asPassingFailure(error);
    if (passing === null) throw error;
    goal = Number.POSITIVE_INFINITY;
    trouble = passing;
    log.error({ error: passing.message }, "the replica cannot be written; it is retried");
  };
  const fail = (error: unknown) => {
    failure = asFailure(error, parts);
    log.error({ error: failure.message }, "the replica stopped");
  };
  const running = retry(run, { backoff, timers, signal, onFailure })
    .catch((error: unknown) => {
      if (!signal.aborted) fail(error);
    })
    .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  return {
    ended: ended.signal,
    failure: () => failure ?? findStranger(replica, identity.id),
    checkDamage: (error) => {
      if (signal.aborted || failure !== null || !isSqliteDamage(error)) return;
      fail(error);
      aborting.abort();
    },
    trouble: () => trouble,
    stop: async () => {
      aborting.abort();
      await running;
    },
  };
}

/** SQLite finds a damaged page when it is read. The log's damage comes as `DatabaseDamaged`, and is not the replica's. */
function asFailure(error: unknown, { markDamaged, log }: FollowerParts): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!isSqliteDamage(error)) return error;
  try {
    markDamaged(error.message);
  } catch (problem) {
    log.error({ error: String(problem) }, "the damage could not be noted");
  }
  const text = `its replica.db is damaged (${error.message}). Start again: it is moved aside and rebuilt from the log`;
  return new DatabaseDamaged(text, { cause: error });
}

/** A node that lost its identity made itself another one, which the network does not know. */
function findStranger({ state }: Replica, id: string): Error | null {
  if (state.network === null || state.network.svs.includes(id)) return null;
  return new Error(
    `its identity ${id} is none of the network's SVs: restore identity.json in its data folder`,
  );
}
