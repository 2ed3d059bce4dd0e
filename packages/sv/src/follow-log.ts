/**
 * Runs an SV's replica. A failure to write, as on a full disk, is retried until it passes; a log that must not be applied,
 * or any other error, ends the replica.
 */
import {
  asPassingFailure,
  Backoff,
  DatabaseDamaged,
  type Host,
  type Log,
  markDamaged,
  retry,
  type StoreUnwritable,
} from "@callsign/node";
import { isReplicaDamage, type OrderedLog, type Replica } from "@callsign/synchronizer";
import { GOAL_MILLISECONDS, REPLICA_RETRY } from "./limits/limits.ts";

interface FollowerParts {
  readonly replica: Replica;
  readonly orderedLog: OrderedLog;
  readonly host: Host;
  readonly log: Log;
  /** The database's file. */
  readonly path: string;
}

/** More than f other SVs have another outcome than this replica, or its scrub found rows that have changed. */
class ReplicaDiffers extends Error {
  override readonly name = "ReplicaDiffers";
}

export interface Follower {
  /** To be called once everything that hears of pages listens. */
  readonly start: () => void;
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  /** The error that stopped the replica for good; null while it runs. */
  readonly failure: () => Error | null;
  /** Stops the replica if the error shows that its database is damaged. */
  readonly checkDamage: (error: unknown) => void;
  /** Stops the replica: its database holds something else than the log says, and is rebuilt at the next start. */
  readonly halt: (reason: string) => void;
  /** Stops the replica: the log is damaged. The replica's database stays as it is. */
  readonly refuseLog: (reason: string) => void;
  /**
   * The failure to write that keeps the replica behind the log. It is there until the replica has caught up: the
   * state can be read, and nobody may act on it.
   */
  readonly trouble: () => StoreUnwritable | null;
  readonly stop: () => Promise<void>;
}

interface FollowedReplica {
  readonly follower: Follower;
  readonly replica: Replica;
  /** The log's head at the start: until the replica reaches it, answers would be stale. */
  readonly goal: number;
  /** The reason why nobody can say whose replica is right; null if there is none. */
  readonly dispute?: () => string | null;
  /** The reason why the node acts for no SV of the network; null if there is none. */
  readonly standing?: () => string | null;
}

/** The reason why the replica cannot answer; null if it can. */
export function findMissing({ follower, replica, goal, dispute, standing }: FollowedReplica): string | null {
  const failure = follower.failure()?.message ?? dispute?.() ?? null;
  if (failure !== null) return failure;
  const { sequence } = replica.state.head;
  if (sequence < goal) return `it is catching up, and stands at entry ${sequence} of ${goal}`;
  return replica.state.network === null ? "the network is not founded yet" : (standing?.() ?? null);
}

/**
 * The log's last entry when a node starts. A server that was found a moment ago may be lost again, and a process that is busy
 * with opening its files may be too slow to connect: the read is retried for a while.
 */
export async function readGoal({
  orderedLog,
  host,
  log,
}: Pick<FollowerParts, "orderedLog" | "host" | "log">): Promise<number> {
  const { elapsedMilliseconds } = host.clock;
  const end = elapsedMilliseconds() + GOAL_MILLISECONDS;
  const onFailure = (error: unknown) => {
    const passing = asPassingFailure(error);
    if (passing === null || elapsedMilliseconds() >= end) throw error;
    log.warn({ error: passing.message }, "reading the log's end failed; it is retried");
  };
  const backoff = new Backoff(REPLICA_RETRY);
  const { signal } = new AbortController();
  return (await retry(() => orderedLog.head(), { backoff, timers: host.timers, signal, onFailure })).sequence;
}

export function followLog(parts: FollowerParts): Follower {
  const { replica, orderedLog, host, log } = parts;
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
    log.error({ error: failure.message, file: parts.path }, "the replica stopped");
  };
  const stopWith = (error: unknown) => {
    if (signal.aborted || failure !== null) return;
    fail(error);
    aborting.abort();
  };
  let running: Promise<void> | null = null;
  const start = () => {
    running ??= retry(run, { backoff, timers: host.timers, signal, onFailure })
      .catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      })
      .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  };
  return {
    start,
    ended: ended.signal,
    failure: () => failure,
    checkDamage: (error) => {
      if (isReplicaDamage(error)) stopWith(error);
    },
    halt: (reason) => stopWith(new ReplicaDiffers(reason)),
    refuseLog: (reason) => stopWith(new DatabaseDamaged(reason)),
    trouble: () => trouble,
    stop: async () => {
      aborting.abort();
      // A replica that never ran ends as well: its waiters have to know.
      start();
      await running;
    },
  };
}

/** The log's damage comes as `DatabaseDamaged` as well, and is not the replica's. */
function asFailure(error: unknown, { path, host, log }: FollowerParts): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!isReplicaDamage(error) && !(error instanceof ReplicaDiffers)) return error;
  try {
    markDamaged(path, error.message, host);
  } catch (problem) {
    log.error({ error: String(problem) }, "the damage could not be noted");
  }
  const text =
    `its replica.db is damaged (${error.message}). Start again: it is moved aside and rebuilt from the log. ` +
    "If the log was pruned, scan's updates from before the snapshot are not in it: to keep them, restore a copy of the file first";
  return new DatabaseDamaged(text, { cause: error });
}
