/** The synchronizers that the participant is connected to. There is one. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { ParticipantPermission } from "./participant-permission.ts";

const ConnectedSynchronizer = z
  .object({
    synchronizerAlias: z.string(),
    synchronizerId: z.string(),
    /** The named party's here; unspecified where the request names none. */
    permission: ParticipantPermission,
  })
  .meta({ id: "ConnectedSynchronizer" });

export const ledgerSynchronizers = defineEndpoints({ tags: ["state"] })({
  listConnectedSynchronizers: {
    method: "GET",
    path: "/v2/state/connected-synchronizers",
    summary: "The synchronizers that the participant is connected to, or that a party is hosted on",
    auth: "ledger:public-or-operate-as",
    query: z.object({
      party: z.string().default(""),
      /** Empty for the one that is asked. */
      participantId: z.string().default(""),
      identityProviderId: z.string().default(""),
    }),
    success: json(
      z
        .object({ connectedSynchronizers: z.array(ConnectedSynchronizer).default([]) })
        .meta({ id: "GetConnectedSynchronizersResponse" }),
    ),
    errors: [400, 401, 403],
  },
});
