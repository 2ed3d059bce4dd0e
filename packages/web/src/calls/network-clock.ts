/**
 * The network's time, as its answers tell it. A local network's clock may be ahead of the browser's; one that rests is behind,
 * and then the browser's counts.
 */
import { readClock } from "../browser/page-host.ts";

let aheadMilliseconds = 0;

export function noteRecordTime(recordTime: string | null): void {
  if (recordTime === null) return;
  const time = new Date(recordTime).getTime();
  if (!Number.isNaN(time)) aheadMilliseconds = Math.max(0, time - readClock());
}

export function readNetworkClock(): number {
  return readClock() + aheadMilliseconds;
}
