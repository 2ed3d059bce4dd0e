/**
 * A range of the ledger as a stream: page after page of what there is and, where the range has no end, of what comes.
 * One position moves through both, so nothing is missed or repeated where history becomes news.
 */
import { type Bell, type Host, nextTurn } from "@callsign/node";
import { type CheckpointIntervals, CheckpointPace } from "./checkpoint-pace.ts";

export interface StreamedPage<T> {
  /** In order. */
  readonly found: Iterable<T>;
  /** Up to where everything was looked at. */
  readonly reached: number;
}

export interface Following<T> {
  readonly ledger: { readonly end: number };
  /** Rings when there is more. */
  readonly advanced: Bell;
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly begin: number;
  /** Null for a range that goes on. */
  readonly endInclusive: number | null;
  readonly intervals: CheckpointIntervals;
  readonly readPage: (begin: number, end: number) => Promise<StreamedPage<T>>;
  /** Null where none can be made just now. */
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
      // Others get their turn between two pages.
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
    // What has come since the page was read has rung already.
    if (position >= ledger.end) await advanced.wait({ milliseconds: pace.due, signal });
  }
}
