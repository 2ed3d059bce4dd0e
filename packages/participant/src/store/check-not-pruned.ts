/**
 * Who reads into what was pruned is told so. It is asked after the rows were read: pruning says what goes before
 * anything does, so what is not pruned by then was there.
 */
import { ledgerError } from "@callsign/ledger";
import { failWith } from "../requests/identifiers.ts";

/** For a read of what follows an offset, or of what was so at that offset. */
export function checkNotPruned({ prunedUpTo }: { readonly prunedUpTo: number }, offset: number): void {
  if (offset >= prunedUpTo) return;
  const cause = `Request from ${offset} precedes pruned offset ${prunedUpTo}: read from there on`;
  failWith(
    ledgerError("PARTICIPANT_PRUNED_DATA_ACCESSED", cause, {
      context: { earliest_offset: String(prunedUpTo) },
    }),
  );
}
