/** The machine's own clock, timers and randomness. No other file uses them directly. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Host } from "./host.ts";

/** About 24 days. Node fires a timer at once that is set for longer; here it fires after these. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

export const systemHost: Host = {
  clock: {
    wallMilliseconds: () => Date.now(),
    elapsedMilliseconds: () => performance.now(),
  },
  timers: {
    set: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MILLISECONDS)),
    clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
    soon: (callback) => void setImmediate(callback),
  },
  randomness: {
    bytes: (length) => randomBytes(length),
    uuid: () => randomUUID(),
    fraction: () => Math.random(),
  },
};
