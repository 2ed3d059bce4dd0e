/**
 * The network's time, as its answers tell it. A local network's clock may be ahead of the browser's; one that rests is behind,
 * and then the browser's counts.
 */
import { useSyncExternalStore } from "react";
import { readClock } from "../browser/page-host.ts";

const MINUTE_MILLISECONDS = 60_000;

let aheadMilliseconds = 0;
const readers = new Set<() => void>();

export function noteRecordTime(recordTime: string | null): void {
  if (recordTime === null) return;
  const time = new Date(recordTime).getTime();
  if (Number.isNaN(time)) return;
  const before = aheadMinutes();
  aheadMilliseconds = Math.max(0, time - readClock());
  if (aheadMinutes() !== before) for (const tell of readers) tell();
}

export function readNetworkClock(): number {
  return readClock() + aheadMilliseconds;
}

/** The network's time of this moment. The component is drawn again when the clock has been moved. */
export function useNetworkClock(): number {
  useSyncExternalStore(addReader, aheadMinutes);
  return readNetworkClock();
}

function addReader(tell: () => void): () => void {
  readers.add(tell);
  return () => void readers.delete(tell);
}

function aheadMinutes(): number {
  return Math.round(aheadMilliseconds / MINUTE_MILLISECONDS);
}
