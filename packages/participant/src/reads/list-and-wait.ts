/**
 * Streams as lists. Existing items are answered at once; a caller that is up to date waits for the next item, up to the
 * time it asked for.
 */
import { LIST_WAIT_MILLISECONDS } from "@callsign/api";
import type { Bell, Clock } from "@callsign/node";
import type { UserQuota } from "../access/user-quota.ts";
import { LIST_SETTLE_MILLISECONDS, MAX_LIST_WAIT_MILLISECONDS } from "../limits/limits.ts";
import { invalidArgument } from "../requests/identifiers.ts";
import type { LedgerStore } from "../store/ledger-store.ts";

export interface Collected<T> {
  readonly found: readonly T[];
  /** The offset up to which all items were examined; null for a list that was full before, or in descending order. */
  readonly reached: number | null;
}

export interface Listing<T> {
  readonly ledger: LedgerStore;
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly waiting: UserQuota;
  /** Null where there is no token. */
  readonly userId: string | null;
  /** Milliseconds. */
  readonly wait: number;
  /** Null for a list without an end, which waits. */
  readonly endInclusive: number | null;
  readonly sought: number;
  readonly collect: (end: number) => Promise<Collected<T>>;
}

/** `isCut`: the list ends before the range does. */
export async function listAndWait<T>(
  listing: Listing<T>,
): Promise<Collected<T> & { readonly isCut: boolean }> {
  const { ledger, advanced, clock, signal, wait, endInclusive, sought, collect } = listing;
  let until = clock.elapsedMilliseconds() + wait;
  const first = ledger.end;
  let leave: (() => void) | null = null;
  try {
    for (;;) {
      const end = endInclusive ?? ledger.end;
      const { found, reached } = await collect(end);
      const isCut = reached !== null && reached < end;
      const isOver = signal.aborted || clock.elapsedMilliseconds() >= until;
      if (found.length > 0 || endInclusive !== null || sought === 0 || isCut || isOver) {
        return { found, reached, isCut };
      }
      // The new items are not the caller's: a checkpoint soon tells the offset to read on from.
      if (end > first) until = Math.min(until, clock.elapsedMilliseconds() + LIST_SETTLE_MILLISECONDS);
      leave ??= listing.waiting.take(listing.userId);
      // The bell has rung already for items that arrived while the list was made.
      const milliseconds = until - clock.elapsedMilliseconds();
      if (ledger.end === end) await advanced.wait({ milliseconds, signal });
    }
  } finally {
    leave?.();
  }
}

export function readWait(given: bigint | null): number {
  if (given === null) return LIST_WAIT_MILLISECONDS;
  if (given < 0n) throw invalidArgument(`stream_idle_timeout_ms must not be negative, unlike ${given}`);
  return given > MAX_LIST_WAIT_MILLISECONDS ? MAX_LIST_WAIT_MILLISECONDS : Number(given);
}
