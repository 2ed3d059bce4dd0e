/** A hosting change as a topology transaction. Its id follows from the stream and is always the same. */
import type { TopologyTransaction } from "@callsign/api";
import { formatInstant, timeFromMicros } from "@callsign/ledger";
import { topologyUpdateId } from "../store/read-index.ts";
import type { StoredItem } from "../store/stored-item.ts";

export interface TopologyView {
  readonly synchronizerId: string;
  readonly participantId: string;
  /** Null for every party. */
  readonly parties: ReadonlySet<string> | null;
}

export function formatTopology(stored: StoredItem, view: TopologyView): TopologyTransaction | null {
  const { offset, digest, item } = stored;
  const { participantId, parties } = view;
  const hostings = item.hostings.filter(({ party }) => parties?.has(party) ?? true);
  if (hostings.length === 0) return null;
  return {
    updateId: topologyUpdateId(digest),
    offset,
    synchronizerId: view.synchronizerId,
    recordTime: formatInstant(timeFromMicros(BigInt(item.recordTime))),
    events: hostings.map(({ party: partyId, hosted }) => ({
      event: hosted
        ? {
            ParticipantAuthorizationAdded: {
              value: {
                partyId,
                participantId,
                participantPermission: "PARTICIPANT_PERMISSION_SUBMISSION" as const,
              },
            },
          }
        : { ParticipantAuthorizationRevoked: { value: { partyId, participantId } } },
    })),
    traceContext: null,
  };
}
