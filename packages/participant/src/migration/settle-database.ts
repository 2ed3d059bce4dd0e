/** A participant's store on a PostgreSQL server: a database for each migration. The one before stays as it is. */
import {
  CannotStart,
  hasPostgresStore,
  type PostgresConfig,
  type Store,
  type StoreParts,
} from "@callsign/node";
import type { StoreMigration } from "../store/participant-settings.ts";
import { participantStore } from "../store/participant-store.ts";
import { carryOver } from "./carry-over.ts";
import {
  checkBefore,
  isUnused,
  type OwnStore,
  openOfMigration,
  readMigration,
  refuseMissing,
  type WantedMigration,
} from "./store-migration.ts";
import { openServerStore } from "./store-places.ts";

export interface Databases {
  readonly database: PostgresConfig;
  /** Undefined if its name is not known. */
  readonly previousDatabase: PostgresConfig | undefined;
}

export async function settleDatabase(
  { database, previousDatabase }: Databases,
  wanted: WantedMigration,
  parts: StoreParts,
): Promise<OwnStore> {
  const { migrationId, migrating } = wanted;
  if (migrating && (previousDatabase === undefined || isSame(database, previousDatabase)))
    throw new CannotStart(
      `migrating is true, and the database of migration ${migrationId - 1} is ` +
        `${previousDatabase === undefined ? "not named" : "that of the new one"}: each migration has a database of its own`,
    );
  const place = { name: nameOf(database), open: () => openServerStore(database, parts) };
  return await openOfMigration(place, wanted, (store) =>
    previousDatabase === undefined
      ? Promise.resolve(null)
      : fill({ store, name: place.name }, previousDatabase, wanted, parts),
  );
}

/** Carries the participant of the migration before into the empty store. Resolves with null if there is none. */
async function fill(
  { store, name }: { readonly store: Store; readonly name: string },
  previousDatabase: PostgresConfig,
  { migrationId, migrating }: WantedMigration,
  parts: StoreParts,
): Promise<StoreMigration | null> {
  const from = await openPrevious(previousDatabase, parts);
  if (from === null) {
    if (migrating) refuseMissing(nameOf(previousDatabase), migrationId);
    return null;
  }
  try {
    const before = nameOf(previousDatabase);
    if (!migrating)
      throw new CannotStart(
        `${name} of migration ${migrationId} is empty, and ${before} has the participant of the migration before: set ` +
          "migration.migrating to true to carry it over",
      );
    checkBefore(await readMigration(from, migrationId), before, migrationId);
    const migration = await carryOver(from, store, migrationId);
    parts.log.info({ from: before, ...migration }, "the participant was carried over");
    return migration;
  } finally {
    await from.close();
  }
}

/** Null if it is missing or empty. It is locked meanwhile. */
async function openPrevious(database: PostgresConfig, parts: StoreParts): Promise<Store | null> {
  const { store: name } = participantStore.migrations;
  if (!(await hasPostgresStore(database, { host: parts.host, store: name }))) return null;
  const store = await openServerStore(database, { ...parts, metrics: undefined });
  if (!(await isUnused(store))) return store;
  await store.close();
  return null;
}

function nameOf({ database }: PostgresConfig): string {
  return `the database "${database}"`;
}

function isSame(a: PostgresConfig, b: PostgresConfig): boolean {
  return a.database === b.database && a.schema === b.schema && a.host === b.host && a.port === b.port;
}
