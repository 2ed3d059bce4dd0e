/** Lets a replica apply the log to its end, and stops it there. */
import type { OrderedLog, Replica } from "@callsign/synchronizer";

export async function catchUp(replica: Replica, log: OrderedLog): Promise<void> {
  const stop = new AbortController();
  const running = replica.run(stop.signal);
  try {
    const { sequence } = await log.head();
    const reached = replica.checked(stop.signal).then(() => replica.reach(sequence, stop.signal));
    await Promise.race([running, reached]);
  } finally {
    stop.abort();
  }
  await running;
}
