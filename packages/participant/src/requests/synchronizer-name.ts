/** The synchronizer that a request names. A participant has one, known by its logical id. */
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";

const MAX_SHOWN = 300;

/** An empty name means the one there is. A physical id ends with the protocol's version. */
export function isSynchronizer(given: string, ours: string): boolean {
  return given === "" || given === ours || given.startsWith(`${ours}::`);
}

export function notConnectedTo(given: readonly string[], ours: string): LedgerFailure {
  const resources = given.map((each) => ["SYNCHRONIZER_ID", each.slice(0, MAX_SHOWN)] as const);
  const cause = `This participant is connected to ${ours} only`;
  return new LedgerFailure(ledgerError("NOT_CONNECTED_TO_SYNCHRONIZER", cause, { resources }));
}
