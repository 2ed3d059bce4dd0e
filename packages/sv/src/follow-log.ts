/**
 * Runs an SV's replica. A failure to write, as on a full disk, is retried until it goes away; a log that must not be
 * applied ends the replica.
 */
import { ReplicaHalt } from "@callsign/ledger";
import { Backoff, type Log, type MemberIdentity, retry, type Timers } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import { REPLICA_RETRY } from "./limits/limits.ts";

export interface Follower {
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  /** The error that stopped the replica for good; null while it runs. */
  readonly failure: () => Error | null;
  /** The error that keeps the replica from going on at present, though it can be read; null if there is none. */
  readonly trouble: () => Error | null;
  readonly stop: () => Promise<void>;
}

export function followLog(
  replica: Replica,
  { id }: MemberIdentity,
  { log, timers }: { readonly log: Log; readonly timers: Timers },
): Follower {
  const aborting = new AbortController();
  const { signal } = aborting;
  const ended = new AbortController();
  const backoff = new Backoff(REPLICA_RETRY);
  let failure: Error | null = null;
  let trouble: Error | null = null;
  replica.onApplied(() => {
    trouble = null;
    backoff.reset();
  });
  const onFailure = (error: unknown) => {
    if (error instanceof ReplicaHalt) throw error;
    trouble = error instanceof Error ? error : new Error(String(error));
    log.error({ error: trouble.message }, "the replica could not go on; it is retried");
  };
  const running = retry(() => replica.run(signal), { backoff, timers, signal, onFailure })
    .catch((error: unknown) => {
      if (signal.aborted) return;
      failure = error instanceof Error ? error : new Error(String(error));
      log.error({ error: failure.message }, "the replica stopped");
    })
    .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  return {
    ended: ended.signal,
    failure: () => failure ?? findStranger(replica, id),
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
