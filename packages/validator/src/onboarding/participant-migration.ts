/** The migration of the network that the participant follows. */
import type { ParticipantAdmin } from "../ledger/participant-admin.ts";

/**
 * Throws if the participant follows another migration: offsets of its ledger mean nothing in this one. A participant that
 * does not know its migration is accepted, unless the store is about to be carried over.
 */
export async function requireParticipantMigration(
  { client }: ParticipantAdmin,
  { migrationId, isCarriedOver }: { readonly migrationId: number; readonly isCarriedOver: boolean },
): Promise<void> {
  const { migrationId: followed } = await client.getSequencerConnections({});
  if (followed === migrationId || (followed === null && !isCarriedOver)) return;
  const state = followed === null ? "does not know its migration" : `follows migration ${followed}`;
  throw new Error(
    `the participant ${state}, and this validator's migrationId is ${migrationId}: start the participant with ` +
      `migration.id ${migrationId}${isCarriedOver ? " and migration.migrating: true" : ""}`,
  );
}
