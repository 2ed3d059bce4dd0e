/** The times at which snapshots are taken. */
import type { Time } from "@callsign/ledger";
import { SNAPSHOT_PERIOD_MICROSECONDS } from "../limits/limits.ts";

/** The last time of a snapshot before a time. */
export function snapshotBefore(time: Time): Time {
  const last = time - 1n;
  const rest =
    ((last % SNAPSHOT_PERIOD_MICROSECONDS) + SNAPSHOT_PERIOD_MICROSECONDS) % SNAPSHOT_PERIOD_MICROSECONDS;
  return (last - rest) as Time;
}
