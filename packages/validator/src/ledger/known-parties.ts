import type { PartyDetails } from "@callsign/api";
import { MAX_PARTY_PAGES } from "../limits/limits.ts";
import type { ParticipantClient } from "./participant-client.ts";

/** The parties that the participant knows, its own and those of others, ordered by their ids. */
export async function* listKnownParties(
  { client }: Pick<ParticipantClient, "client">,
  prefix = "",
): AsyncGenerator<PartyDetails> {
  let pageToken = "";
  for (let page = 0; page < MAX_PARTY_PAGES; page++) {
    const query = { pageToken, ...(prefix === "" ? {} : { "filter-party": prefix }) };
    const { partyDetails, nextPageToken } = await client.listParties({ query });
    yield* partyDetails;
    if (nextPageToken === "") return;
    pageToken = nextPageToken;
  }
}
