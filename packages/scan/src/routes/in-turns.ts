/**
 * Pages that take long are read in slices, one a turn and one page at a time, so that other calls are answered in between. Short
 * ones, which are most, are answered in the same turn.
 */
import { type Clock, KeyedQueue, nextTurn, type Timers } from "@callsign/node";
import { PAGE_TURN_MILLISECONDS } from "../limits/limits.ts";
import type { ScanSource } from "../rows/scan-source.ts";

export interface TurnParts extends Pick<ScanSource, "refresh"> {
  readonly timers: Timers;
  readonly clock: Clock;
}

export interface PageReading<T> {
  /** Reads a little more; true once the page is whole. */
  readonly readMore: () => boolean;
  readonly finish: () => T;
  readonly signal: AbortSignal;
}

export type ReadInTurns = <T>(reading: PageReading<T>) => T | Promise<T>;

export function openTurns({ refresh, timers, clock }: TurnParts): ReadInTurns {
  const pages = new KeyedQueue();
  return ({ readMore, finish, signal }) => {
    const readSlice = (): boolean => {
      const end = clock.elapsedMilliseconds() + PAGE_TURN_MILLISECONDS;
      do {
        if (readMore()) return true;
      } while (clock.elapsedMilliseconds() < end);
      return false;
    };
    if (readSlice()) return finish();
    return pages.run("", async () => {
      do {
        await nextTurn(timers);
        signal.throwIfAborted();
        refresh();
      } while (!readSlice());
      // To put a long text together takes a while as well.
      await nextTurn(timers);
      return finish();
    });
  };
}
