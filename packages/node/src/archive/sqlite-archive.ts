/** A role's SQLite file, archived and restored. */
import { basename, dirname } from "node:path";
import { migrateStore } from "../database/migrations.ts";
import { SqliteStore } from "../database/sqlite-store.ts";
import type { StoreDefinition } from "../database/store-definition.ts";
import type { Host } from "../host/host.ts";
import type { Archived } from "./archive-format.ts";
import { verifyRows } from "./compare-archive.ts";
import { fillStore } from "./fill-store.ts";
import { readArchive } from "./read-archive.ts";
import { openSqliteSnapshot } from "./sqlite-snapshot.ts";
import type { StoreSnapshot } from "./store-snapshot.ts";

type FilesOf = Pick<Host, "files">;

/** Opens the file of a stopped process, or a copy. Undefined if there is no file. Throws `DatabaseInUse`. */
export function openFileSnapshot(
  file: string,
  { migrations }: StoreDefinition,
  { files }: FilesOf,
): StoreSnapshot | undefined {
  if (!files.list(dirname(file)).includes(basename(file))) return undefined;
  return openSqliteSnapshot(files.openDatabase(file, { exclusive: true, owner: migrations.store }));
}

export interface FileRestore {
  /** A file that does not exist yet. */
  readonly file: string;
  readonly archivePath: string;
  readonly archived: Archived;
  readonly definition: StoreDefinition;
  /** Reads the rows back from the file and compares them, before later migrations run. */
  readonly verify: boolean;
}

export async function restoreFile(
  { file, archivePath, archived, definition, verify }: FileRestore,
  { files }: FilesOf,
): Promise<void> {
  const open = () => files.openDatabase(file, { exclusive: true, owner: definition.migrations.store });
  const database = open();
  const store = new SqliteStore(database);
  const { listTables } = openSqliteSnapshot(database);
  const { storeVersion } = archived.header;
  try {
    const archive = readArchive(archivePath, files);
    await store.transaction((sql) => fillStore(sql, archive, { definition, storeVersion, listTables }));
  } finally {
    await store.close();
  }
  if (verify) {
    const snapshot = openSqliteSnapshot(open());
    try {
      await verifyRows(snapshot, archived, definition);
    } finally {
      await snapshot.close();
    }
  }
  const migrated = new SqliteStore(open());
  try {
    await migrateStore(migrated, definition.migrations);
  } finally {
    await migrated.close();
  }
}
