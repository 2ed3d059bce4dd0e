/**
 * The participant's identity for its operator: its id, its keys and the parties it hosts. Private keys stay with the
 * participant (decision 0047).
 */
import type { NodeIdentitiesDump } from "@callsign/api";
import { formatParticipantId } from "@callsign/ledger";
import { SPOKEN_VERSION } from "@callsign/node";
import { listKnownParties } from "./known-parties.ts";
import type { ParticipantAdmin } from "./participant-admin.ts";
import type { ParticipantClient } from "./participant-client.ts";

export interface BothApis {
  readonly participant: ParticipantClient;
  readonly participantAdmin: ParticipantAdmin;
}

export async function dumpIdentities({
  participant,
  participantAdmin,
}: BothApis): Promise<NodeIdentitiesDump> {
  const { participantId, keys } = await participantAdmin.client.getIdentity();
  const snapshot = { participantId, keys, parties: await listHostedParties(participant) };
  return {
    id: formatParticipantId(participantId),
    keys: keys.map(({ name, fingerprint }) => ({ type: "signing" as const, keyId: fingerprint, name })),
    authorizedStoreSnapshot: Buffer.from(JSON.stringify(snapshot)).toString("base64"),
    version: SPOKEN_VERSION.version,
  };
}

async function listHostedParties(participant: ParticipantClient): Promise<readonly string[]> {
  const parties: string[] = [];
  for await (const { party, isLocal } of listKnownParties(participant)) if (isLocal) parties.push(party);
  return parties;
}
