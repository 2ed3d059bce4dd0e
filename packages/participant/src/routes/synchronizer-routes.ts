/** The synchronizer of the participant, and its permission for a party. */
import type { ledgerApi } from "@callsign/api";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { needParty } from "../requests/identifiers.ts";
import type { PartyStore } from "../store/party-store.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, LedgerCaller>, "listConnectedSynchronizers">;

/** The alias that participants of the Canton Network use. */
const ALIAS = "global";

export function synchronizerRoutes(parts: {
  readonly participantId: string;
  readonly parties: PartyStore;
  /** Empty until the network is known. */
  readonly synchronizerId: () => string;
}): Routes {
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
  };
}
