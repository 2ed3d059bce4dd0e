/**
 * Opens the store of the configured migration. A store belongs to one migration of its network. The first start under a new
 * id fills an empty store from that of the id before, if the operator says that this is a migration; otherwise a new
 * id is refused, because a participant with new keys would have none of its parties.
 */
import { CannotStart, type StoreParts } from "@callsign/node";
import { settleDatabase } from "./settle-database.ts";
import { settleFile } from "./settle-file.ts";
import type { OwnStore } from "./store-migration.ts";
import { type MigratingConfig, openFileStore, openServerStore, storeFilesIn } from "./store-places.ts";

export async function openOwnStore(config: MigratingConfig, parts: StoreParts): Promise<OwnStore> {
  const { dataFolder, database, previousDatabase, migrationId, migrating = false } = config;
  if (migrating && (migrationId ?? 0) === 0)
    throw new CannotStart(
      `migrating is true, and migrationId is ${migrationId ?? "not given"}: give the id that the network was migrated ` +
        "to, 1 or more, or set migrating to false",
    );
  if (migrationId === undefined) {
    const { present } = storeFilesIn(dataFolder);
    const store = await (database === undefined
      ? openFileStore(present, parts)
      : openServerStore(database, parts));
    return { store, migration: null };
  }
  const wanted = { migrationId, migrating };
  return database === undefined
    ? settleFile(storeFilesIn(dataFolder), wanted, parts)
    : settleDatabase({ database, previousDatabase }, wanted, parts);
}
