/** Lets a replica apply the log to an entry, or to its end, and stops it there. Rejects if the replica stops before. */
import type { OrderedLog } from "../log/ordered-log.ts";
import type { Replica } from "./replica.ts";

export async function catchUp(replica: Replica, log: OrderedLog, sequence?: number): Promise<void> {
  const stop = new AbortController();
  const running = replica.run(stop.signal);
  try {
    const goal = sequence ?? (await log.head()).sequence;
    const reached = replica.checked(stop.signal).then(() => replica.reach(goal, stop.signal));
    await Promise.race([running, reached]);
  } finally {
    stop.abort();
  }
  await running;
}
