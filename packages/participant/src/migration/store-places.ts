/**
 * The places of a participant's stores, one for each migration of its network. On a PostgreSQL server each has a database.
 * SQLite's present store is always the file in the data folder; the one before lies in a folder `migration-<id>` in there.
 * The identity stays in the data folder: it is the same under every id.
 */
import { dirname, join } from "node:path";
import { type Host, openStore, type PostgresConfig, type Store, type StoreParts } from "@callsign/node";
import { participantStore } from "../store/participant-store.ts";

export interface MigratingConfig {
  readonly dataFolder: string;
  readonly database?: PostgresConfig;
  readonly migrationId?: number;
  readonly migrating?: boolean;
  readonly previousDatabase?: PostgresConfig;
}

type Files = Host["files"];

/** Files of SQLite. */
export interface StoreFiles {
  readonly present: string;
  /** The next store while it is filled. */
  readonly next: string;
  /** The store of that migration, once another has taken its place. */
  readonly before: (migrationId: number) => string;
}

export function storeFilesIn(dataFolder: string): StoreFiles {
  const { fileName } = participantStore;
  return {
    present: join(dataFolder, fileName),
    next: join(dataFolder, "migration.unfinished", fileName),
    before: (migrationId) => join(dataFolder, `migration-${migrationId}`, fileName),
  };
}

export function isFile(path: string, files: Files): boolean {
  return files.list(dirname(path)).includes(participantStore.fileName);
}

export function openFileStore(file: string, parts: StoreParts): Promise<Store> {
  return openStore({ file }, participantStore.migrations, parts);
}

export function openServerStore(database: PostgresConfig, parts: StoreParts): Promise<Store> {
  return openStore({ file: "", database }, participantStore.migrations, parts);
}
