import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import type { Replica } from "../../packages/synchronizer/src/replica/replica.ts";

/** Runs a replica to an entry, or to the log's end, and stops it there. Rejects if the replica stops before. */
export async function catchUp(replica: Replica, log: OrderedLog, sequence?: number): Promise<void> {
  const stop = new AbortController();
  const running = replica.run(stop.signal);
  try {
    const goal = sequence ?? (await log.head()).sequence;
    await Promise.race([running, replica.reach(goal, stop.signal)]);
  } finally {
    stop.abort();
  }
  await running;
}
