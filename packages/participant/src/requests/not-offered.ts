/** The error for operations that this participant does not offer, with the alternative. */
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";

/** `what` is a noun, such as `the upload of packages`; `instead` an instruction, such as `use the packages built in`. */
export function notOffered(what: string, instead: string): LedgerFailure {
  const cause = `This participant does not offer ${what}. Instead, ${instead}.`;
  return new LedgerFailure(ledgerError("UNSUPPORTED_OPERATION", cause));
}
