/**
 * Runs an SV's replica. A failure to write, as on a full disk, is retried until it passes; a log that must not be applied,
 * or any other error, ends the replica.
 */
import {
  asPassingFailure,
  Backoff,
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
}

export interface Follower {
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  /** The error that stopped the replica for good; null while it runs. */
  readonly failure: () => Error | null;
  /**
   * The failure to write that keeps the replica behind the log. It is there until the replica has caught up: the
   * state can be read, and nobody may act on it.
   */
  readonly trouble: () => StoreUnwritable | null;
  readonly stop: () => Promise<void>;
}

export function followLog({ replica, orderedLog, identity, timers, log }: FollowerParts): Follower {
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
  const running = retry(run, { backoff, timers, signal, onFailure })
    .catch((error: unknown) => {
      if (signal.aborted) return;
      failure = error instanceof Error ? error : new Error(String(error));
      log.error({ error: failure.message }, "the replica stopped");
    })
    .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  return {
    ended: ended.signal,
    failure: () => failure ?? findStranger(replica, identity.id),
    trouble: () => trouble,
    stop: async () => {
      aborting.abort();
      await running;
    },
  };
}

/** A node that lost its identity made itself another one, which the network does not know. */
function findStranger({ state }: Replica, id: string): Error | null {
  if (state.network === null || state.network.svs.includes(id)) return null;
  return new Error(
    `its identity ${id} is none of the network's SVs: restore identity.json in its data folder`,
  );
}
