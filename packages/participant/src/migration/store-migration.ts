/** The migration that a store belongs to, and the refusals of stores that belong to another one. */
import { CannotStart, type Store } from "@callsign/node";
import {
  findStoreMigration,
  ParticipantSettings,
  type StoreMigration,
} from "../store/participant-settings.ts";
import { participantStore } from "../store/participant-store.ts";

/** The migration that an operator asks for. */
export interface WantedMigration {
  readonly migrationId: number;
  readonly migrating: boolean;
}

export interface OwnMigration extends StoreMigration {
  /** False if the store keeps no id, and is taken for one of the configured migration. */
  readonly isKept: boolean;
}

export interface OwnStore {
  readonly store: Store;
  /** Null if no migration is configured. */
  readonly migration: OwnMigration | null;
}

/** True for a store with which no participant has ever started. */
export async function isUnused(store: Store): Promise<boolean> {
  const { offset } = await participantStore.findPosition(store);
  return offset === "0" && (await new ParticipantSettings(store).find("member")) === undefined;
}

/** Marks an empty store. */
async function beginUnder(store: Store, migrationId: number): Promise<StoreMigration> {
  const migration = { id: migrationId, carriedFrom: null };
  await new ParticipantSettings(store).set("migration", migration);
  return migration;
}

/**
 * Null for a store that keeps no id. A release before ids were kept wrote it, or it is empty. One that is in use under id 0
 * is marked, because there is no migration before with which it could be confused.
 */
export async function readMigration(store: Store, migrationId: number): Promise<StoreMigration | null> {
  const known = await findStoreMigration(new ParticipantSettings(store));
  if (known !== undefined) return known;
  return migrationId === 0 && !(await isUnused(store)) ? beginUnder(store, 0) : null;
}

/** Opens a store of the wanted migration. `begin` marks one that no participant has used, and may fill it. */
export async function openOfMigration(
  place: { readonly name: string; readonly open: () => Promise<Store> },
  wanted: WantedMigration,
  begin: (store: Store) => Promise<StoreMigration | null> = async () => null,
): Promise<OwnStore> {
  const { migrationId } = wanted;
  const store = await place.open();
  try {
    const known = await readMigration(store, migrationId);
    if (known === null && (await isUnused(store))) {
      const begun = (await begin(store)) ?? (await beginUnder(store, migrationId));
      return { store, migration: { ...begun, isKept: true } };
    }
    // A release that kept no id wrote a used store without one. The sequencers tell whether it is of this migration.
    const migration = known ?? { id: migrationId, carriedFrom: null };
    checkMigration(migration, place.name, wanted);
    return { store, migration: { ...migration, isKept: known !== null } };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function checkMigration(
  known: StoreMigration,
  name: string,
  { migrationId, migrating }: WantedMigration,
): void {
  if (known.id !== migrationId) {
    const isNext = migrationId === known.id + 1;
    throw new CannotStart(
      `${name} belongs to the network's migration ${known.id}, and migration.id is ${migrationId}: configure ${known.id}` +
        `${isNext ? ", or carry it over with migration.migrating: true, on a server into a database of its own" : ""}`,
    );
  }
  if (migrating && known.carriedFrom === null)
    throw new CannotStart(
      `${name} began under migration ${migrationId}, and was not carried over from another: set ` +
        "migration.migrating to false to go on with it, or give an empty place to carry the migration before into",
    );
}

/** Throws if the store to carry over is not that of the migration before. */
export function checkBefore(before: StoreMigration | null, name: string, migrationId: number): void {
  if (before === null || before.id === migrationId - 1) return;
  throw new CannotStart(
    `${name} is of migration ${before.id}, and migration.migrating leads from ${migrationId - 1} to ${migrationId}: ` +
      "carry it over to each migration in turn",
  );
}

export function refuseMissing(name: string, migrationId: number): never {
  throw new CannotStart(
    `there is no store of migration ${migrationId - 1} to carry over in ${name}: restore it, name its place, or set ` +
      "migration.migrating to false to begin a new participant",
  );
}
