/**
 * The check that a read did not reach into pruned history. Call it after the rows were read: pruning records the new offset
 * before it removes rows, so that a read which passes has seen all rows.
 */
import { failWith } from "../requests/identifiers.ts";

/** For a read after an offset, or as of that offset. */
export function checkNotPruned({ prunedUpTo }: { readonly prunedUpTo: number }, offset: number): void {
  if (offset >= prunedUpTo) return;
  const cause = `Request from ${offset} precedes pruned offset ${prunedUpTo}: read from there on`;
  failWith("PARTICIPANT_PRUNED_DATA_ACCESSED", cause, {
    context: { earliest_offset: String(prunedUpTo) },
  });
}
