/** The synchronizer of the participant, and its permission for a party. */
import { needParty } from "../requests/identifiers.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

/** The alias that participants of the Canton Network use. */
const ALIAS = "global";

type Parts = Pick<LedgerApiParts, "participantId" | "parties" | "synchronizerId">;

export function synchronizerRoutes(parts: Parts) {
  const { participantId, parties, synchronizerId } = parts;
  return {
    listConnectedSynchronizers: async ({ query }) => {
      const connected = { synchronizerAlias: ALIAS, synchronizerId: synchronizerId() };
      const isOurs = query.participantId === "" || query.participantId === participantId;
      if (connected.synchronizerId === "" || !isOurs) return { connectedSynchronizers: [] };
      if (query.party === "") {
        const permission = "PARTICIPANT_PERMISSION_UNSPECIFIED" as const;
        return { connectedSynchronizers: [{ ...connected, permission }] };
      }
      const party = await parties.find(needParty(query.party));
      if (party?.isLocal !== true) return { connectedSynchronizers: [] };
      const permission = "PARTICIPANT_PERMISSION_SUBMISSION" as const;
      return { connectedSynchronizers: [{ ...connected, permission }] };
    },
  } satisfies Partial<LedgerHandlers>;
}
