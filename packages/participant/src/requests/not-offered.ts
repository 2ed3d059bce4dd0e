/** What this participant leaves out is said as it is: the operation's name, and what to do instead. */
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";

/** Two phrases: what is left out, such as `the upload of packages`, and what to do, such as `use those built in`. */
export function notOffered(what: string, instead: string): LedgerFailure {
  const cause = `This participant does not offer ${what}. Instead, ${instead}.`;
  return new LedgerFailure(ledgerError("UNSUPPORTED_OPERATION", cause));
}
