/**
 * Streams a range of the ledger: existing items page by page and, if the range has no end, new ones as they are stored. One
 * position moves through both, so that no item is missed or repeated at the transition.
 */
import { type Bell, type Host, nextTurn } from "@callsign/node";
import { type CheckpointIntervals, STREAM_BATCH } from "../limits/limits.ts";
import { type CheckpointParts, makeCheckpoint } from "../reads/checkpoint.ts";
import type { LedgerReader } from "../reads/ledger-reader.ts";
import { type AskedRange, checkRange } from "../reads/offset-range.ts";
import { CheckpointPace } from "./checkpoint-pace.ts";

export interface FollowRangeParts extends CheckpointParts {
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly host: Host;
  readonly intervals: CheckpointIntervals;
}

export async function* followRange<Row extends { readonly offset: number }, Item>(
  parts: FollowRangeParts,
  reader: LedgerReader<Row, Item>,
  asked: AskedRange,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const { ledger, advanced, host } = parts;
  checkRange(asked, ledger.end);
  const { beginExclusive, endInclusive, descendingOrder } = asked;
  if (descendingOrder && endInclusive !== null) {
    yield* descend(host, reader, { beginExclusive, endInclusive }, signal);
    return;
  }
  const pace = new CheckpointPace(parts.intervals, host.clock.elapsedMilliseconds);
  let position = beginExclusive;
  while (!signal.aborted) {
    const end = endInclusive ?? ledger.end;
    if (position < end) {
      const page = { beginExclusive: position, endInclusive: end, limit: STREAM_BATCH, descending: false };
      const rows = await reader.list(page);
      let hasItems = false;
      for (const item of rows.values().flatMap(reader.format)) {
        hasItems = true;
        yield item;
        if (signal.aborted) return;
      }
      position = rows[STREAM_BATCH - 1]?.offset ?? end;
      pace.read(hasItems);
      // Other requests get their turn between two pages.
      await nextTurn(host.timers);
    }
    if (endInclusive !== null) {
      if (position >= endInclusive) return;
      continue;
    }
    if (pace.due === 0) {
      const checkpoint = await makeCheckpoint(parts, position, position);
      pace.tell();
      if (checkpoint !== null) yield reader.checkpoint(checkpoint);
    }
    // The bell has rung already for items that were stored since the page was read.
    if (position >= ledger.end) await advanced.wait({ milliseconds: pace.due, signal });
  }
}

async function* descend<Row extends { readonly offset: number }, Item>(
  host: Host,
  reader: LedgerReader<Row, Item>,
  range: { readonly beginExclusive: number; readonly endInclusive: number },
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  let { endInclusive } = range;
  while (!signal.aborted) {
    const rows = await reader.list({ ...range, endInclusive, limit: STREAM_BATCH, descending: true });
    yield* rows.values().flatMap(reader.format);
    const last = rows[STREAM_BATCH - 1];
    if (last === undefined) return;
    endInclusive = last.offset - 1;
    await nextTurn(host.timers);
  }
}
