/** Runs an SV's replica, and keeps the error that stopped it. */
import type { Log, MemberIdentity } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";

export interface Follower {
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  readonly failure: () => Error | null;
  readonly stop: () => Promise<void>;
}

export function followLog(replica: Replica, { id }: MemberIdentity, log: Log): Follower {
  const aborting = new AbortController();
  const ended = new AbortController();
  let failure: Error | null = null;
  const running = replica
    .run(aborting.signal)
    .catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
      log.error({ error: failure.message }, "the replica stopped");
    })
    .finally(() => ended.abort(failure ?? new Error("the SV's node is closed")));
  return {
    ended: ended.signal,
    failure: () => failure ?? findStranger(replica, id),
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
