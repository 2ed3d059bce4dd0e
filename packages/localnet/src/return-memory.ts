/**
 * Starts garbage collections while the network is quiet: one after its start, whose objects are spread over many pages, and others when
 * much of V8's heap is free. After a load V8 collects by itself, but keeps
 * half-empty pages. A collection as for a process that runs out of memory returns these pages to the system. It stops the process for
 * a fraction of a second.
 */
import { performance } from "node:perf_hooks";
import { startInterval, type Timers } from "@callsign/node";

const LOOK_MILLISECONDS = 10_000;
/** V8 has collected by itself before: it does so 8 seconds after a load. */
const QUIET_LOOKS = 2;
const QUIET_SHARE = 0.25;
const MUCH_BYTES = 16_000_000;
/** A load that ends soon after another leaves free memory as well. */
const COLLECTIONS_IN_A_ROW = 3;
/** The pause after these: collections that free nothing must not repeat all the time. */
const LOOKS_BETWEEN = 30;

/** The JavaScript engine of the process. */
export interface JavaScriptEngine {
  readonly collect: () => void;
  /** Memory of the heap without objects. */
  readonly freeBytes: () => number;
  /** The share of the time since the last call in which the event loop was busy. */
  readonly busyShare: () => number;
}

/** Null without Node's option `--expose-gc`. */
export function findEngine(): JavaScriptEngine | null {
  const { gc } = globalThis;
  if (gc === undefined) return null;
  let last = performance.eventLoopUtilization();
  return {
    // V8 moves the objects of half-empty pages together only in this one, and gives the pages back at once.
    collect: () => void gc({ type: "major", execution: "sync", flavor: "last-resort" }),
    freeBytes: () => {
      const { heapTotal, heapUsed } = process.memoryUsage();
      return heapTotal - heapUsed;
    },
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  };
}

/** Returns a function that ends it. */
export function returnMemory(
  { collect, freeBytes, busyShare }: JavaScriptEngine,
  timers: Timers,
): () => void {
  let quietLooks = 0;
  let looksToWait = 0;
  let collections = 0;
  return startInterval(
    () => {
      looksToWait--;
      quietLooks = busyShare() < QUIET_SHARE ? quietLooks + 1 : 0;
      const isWorthIt = collections === 0 || freeBytes() >= MUCH_BYTES;
      if (quietLooks < QUIET_LOOKS || looksToWait > 0 || !isWorthIt) return;
      collections++;
      if (collections % COLLECTIONS_IN_A_ROW === 0) looksToWait = LOOKS_BETWEEN;
      collect();
    },
    LOOK_MILLISECONDS,
    timers,
  );
}
