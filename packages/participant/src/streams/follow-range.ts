/**
 * Streams a range of the ledger: existing items page by page and, if the range has no end, new ones as they are stored. One
 * position moves through both, so that no item is missed or repeated at the transition.
 */
import { type Bell, type Host, nextTurn } from "@callsign/node";
import { type CheckpointIntervals, CheckpointPace } from "./checkpoint-pace.ts";

export interface StreamedPage<T> {
  /** Items in order. */
  readonly found: Iterable<T>;
  /** The offset up to which all items were examined. */
  readonly reached: number;
}

export interface Following<T> {
  readonly ledger: { readonly end: number };
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly begin: number;
  /** Null for a range without an end. */
  readonly endInclusive: number | null;
  readonly intervals: CheckpointIntervals;
  readonly readPage: (begin: number, end: number) => Promise<StreamedPage<T>>;
  /** Null if none can be made now. */
  readonly checkpoint: (offset: number) => Promise<T | null>;
}

export async function* followRange<T>(following: Following<T>): AsyncGenerator<T, void, void> {
  const { ledger, advanced, host, signal, endInclusive, readPage } = following;
  const pace = new CheckpointPace(following.intervals, host.clock.elapsedMilliseconds);
  let position = following.begin;
  while (!signal.aborted) {
    const end = endInclusive ?? ledger.end;
    if (position < end) {
      const page = await readPage(position, end);
      let hasItems = false;
      for (const item of page.found) {
        hasItems = true;
        yield item;
        if (signal.aborted) return;
      }
      position = page.reached;
      pace.read(hasItems);
      // Other requests get their turn between two pages.
      await nextTurn(host.timers);
    }
    if (endInclusive !== null) {
      if (position >= endInclusive) return;
      continue;
    }
    if (pace.due === 0) {
      const checkpoint = await following.checkpoint(position);
      pace.tell();
      if (checkpoint !== null) yield checkpoint;
    }
    // The bell has rung already for items that were stored since the page was read.
    if (position >= ledger.end) await advanced.wait({ milliseconds: pace.due, signal });
  }
}
