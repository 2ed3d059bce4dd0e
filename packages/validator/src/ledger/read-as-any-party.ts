import type { ParticipantClient } from "./participant-client.ts";

/** The validator reads for many wallets at once. Granting the right again does nothing. */
export async function grantReadAsAnyParty({ client, userId }: ParticipantClient): Promise<void> {
  await client.grantUserRights({
    params: { "user-id": userId },
    body: { userId, rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }] },
  });
}
