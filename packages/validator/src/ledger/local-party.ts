/** A party that the validator's participant hosts. */
import type { PartyId } from "@callsign/ledger";
import type { ParticipantClient } from "./participant-client.ts";

/** Undefined unless the participant hosts it. */
export async function findLocalParty({ client }: ParticipantClient, party: PartyId) {
  const { partyDetails } = await client.getParties({ params: { party } });
  return partyDetails.find((each) => each.party === party && each.isLocal);
}
