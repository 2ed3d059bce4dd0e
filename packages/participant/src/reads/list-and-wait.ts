/**
 * Streams as lists. What there is, is answered at once; a caller who is up to date is kept waiting for the next item,
 * as long as they said.
 */
import { LIST_WAIT_MILLISECONDS } from "@callsign/api";
import type { UserQuota } from "../access/user-quota.ts";
import { LIST_SETTLE_MILLISECONDS, MAX_LIST_WAIT_MILLISECONDS } from "../limits/limits.ts";
import { invalidArgument } from "../requests/identifiers.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { Bell } from "../waiting/bell.ts";

export interface Collected<T> {
  readonly found: readonly T[];
  /** Up to where everything was looked at; null if the list was full before, or is in descending order. */
  readonly reached: number | null;
}

export interface Listing<T> {
  readonly ledger: LedgerStore;
  /** Rings when there is more. */
  readonly advanced: Bell;
  readonly signal: AbortSignal;
  readonly waiting: UserQuota;
  /** Null where there is no token. */
  readonly userId: string | null;
  /** In milliseconds. */
  readonly wait: number;
  /** Null for a list without an end, which is waited for. */
  readonly endInclusive: number | null;
  readonly sought: number;
  readonly collect: (end: number) => Promise<Collected<T>>;
}

/** `isCut`: there is more before the end, which was not looked at. */
export async function listAndWait<T>(
  listing: Listing<T>,
): Promise<Collected<T> & { readonly isCut: boolean }> {
  const { ledger, advanced, signal, wait, endInclusive, sought, collect } = listing;
  let until = AbortSignal.any([signal, AbortSignal.timeout(Math.max(wait, 1))]);
  const first = ledger.end;
  let leave: (() => void) | null = null;
  try {
    for (;;) {
      const end = endInclusive ?? ledger.end;
      const { found, reached } = await collect(end);
      const isCut = reached !== null && reached < end;
      if (found.length > 0 || endInclusive !== null || sought === 0 || isCut || until.aborted) {
        return { found, reached, isCut };
      }
      // Something came that is not the caller's: they are soon told how far that is, and ask on from there.
      if (end > first) until = AbortSignal.any([until, AbortSignal.timeout(LIST_SETTLE_MILLISECONDS)]);
      // What arrived while the list was made has rung already.
      leave ??= listing.waiting.take(listing.userId);
      if (ledger.end === end) await advanced.wait(wait, until);
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
