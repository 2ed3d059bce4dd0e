/** Throws unless the text is a party id. */
import { type PartyId, parsePartyId } from "@callsign/ledger";

export function readParty(text: string): PartyId {
  const party = parsePartyId(text);
  if (!party.ok) throw new Error(party.error);
  return party.value;
}
