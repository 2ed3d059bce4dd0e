import { type Clock, systemHost, type Timers } from "@callsign/node";
import {
  COMMIT_MILLISECONDS,
  COMMITTED_SLICE_MILLISECONDS,
  SLICE_MILLISECONDS,
} from "../../packages/synchronizer/src/limits/limits.ts";

/** Whenever it is read, the longest slice is over. */
export function hurriedClock(): Clock {
  let now = 0;
  const step = Math.max(SLICE_MILLISECONDS, COMMITTED_SLICE_MILLISECONDS);
  return {
    ...systemHost.clock,
    elapsedMilliseconds: () => {
      now += step;
      return now;
    },
  };
}

/** Nothing is committed because of the time alone. */
export const withoutCommits: Timers = {
  ...systemHost.timers,
  set: (callback, milliseconds) =>
    systemHost.timers.set(milliseconds === COMMIT_MILLISECONDS ? () => undefined : callback, milliseconds),
};
