/** Parties that the participant knows, and what it keeps about them. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, FieldMask, ObjectMeta, string, strings } from "./proto.ts";

export const PartyDetails = z
  .object({
    party: string,
    isLocal: boolean,
    localMetadata: orNull(ObjectMeta),
    /** Empty for the default one. */
    identityProviderId: string,
  })
  .meta({ id: "PartyDetails" });
export type PartyDetails = z.output<typeof PartyDetails>;

const AllocatePartyRequest = z
  .object({
    /** The beginning of the party id. Random if omitted. */
    partyIdHint: string,
    localMetadata: orNull(ObjectMeta),
    identityProviderId: string,
    synchronizerId: string,
    /** A user who gets the right to act as the new party. */
    userId: string,
  })
  .meta({ id: "AllocatePartyRequest" });

const UpdatePartyDetailsRequest = z
  .object({ partyDetails: orNull(PartyDetails), updateMask: orNull(FieldMask) })
  .meta({ id: "UpdatePartyDetailsRequest", required: ["partyDetails", "updateMask"] });

const params = z.object({ party: z.string() });
const identityProvider = { "identity-provider-id": z.string().default("") };

export const ledgerParties = defineEndpoints({ tags: ["parties"] })({
  listParties: {
    method: "GET",
    path: "/v2/parties",
    summary: "Known parties, a page at a time, ordered by their ids",
    auth: "ledger:admin-or-idp-admin",
    query: z.object({
      ...identityProvider,
      /** The beginning of the party id. */
      "filter-party": z.string().default(""),
      /** 0: as many as the server allows. */
      pageSize: int32Parameter.default(0),
      pageToken: z.string().default(""),
    }),
    success: json(z.object({ partyDetails: z.array(PartyDetails), nextPageToken: string })),
    errors: [400, 401, 403],
  },
  allocateParty: {
    method: "POST",
    path: "/v2/parties",
    summary: "Makes a party that this participant hosts",
    auth: "ledger:admin-or-idp-admin-or-self",
    body: AllocatePartyRequest,
    success: json(z.object({ partyDetails: PartyDetails })),
    errors: [400, 401, 403, 404, 409, 504],
  },
  getParticipantId: {
    method: "GET",
    path: "/v2/parties/participant-id",
    summary: "The participant's own id",
    auth: "ledger:public",
    success: json(z.object({ participantId: z.string() })),
    errors: [401, 403],
  },
  getParties: {
    method: "GET",
    path: "/v2/parties/{party}",
    summary: "One party, or several; unknown ones are left out",
    auth: "ledger:admin-or-idp-admin-or-operate-as",
    params,
    query: z.object({ ...identityProvider, parties: strings }),
    success: json(z.object({ partyDetails: z.array(PartyDetails) })),
    errors: [400, 401, 403],
  },
  updatePartyDetails: {
    method: "PATCH",
    path: "/v2/parties/{party}",
    summary: "Changes what the participant keeps about a party, as the update mask selects",
    auth: "ledger:admin-or-idp-admin",
    params,
    body: UpdatePartyDetailsRequest,
    success: json(z.object({ partyDetails: PartyDetails })),
    errors: [400, 401, 403, 404, 409],
  },
});
