/** The admin API of the validator's participant: its pruning schedule and the sequencers it is connected to. */
import { type Client, participantAdminApi } from "@callsign/api";
import { connectParticipant, type ParticipantOptions } from "./participant-connection.ts";

export type AdminApiClient = Client<typeof participantAdminApi.endpoints>;

export interface ParticipantAdmin {
  readonly client: AdminApiClient;
  /** Gives up all calls in flight. */
  readonly close: () => void;
}

/** Its user needs ParticipantAdmin. */
export function openParticipantAdmin(options: ParticipantOptions): ParticipantAdmin {
  const { client, connections } = connectParticipant(participantAdminApi, options);
  return { client, close: () => connections.close() };
}
