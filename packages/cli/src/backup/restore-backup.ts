/** Restores a role from a back-up: all of it or nothing. Nothing is written before every byte of it has been checked. */
import { dirname, join } from "node:path";
import {
  type Archived,
  ArchiveRefused,
  beginFolder,
  checkArchive,
  commitFolder,
  DatabaseDamaged,
  finishFolder,
  type Host,
  IDENTITY_FILE,
  isArchived,
  isMoved,
  isSqliteDamage,
  loadPostgresArchives,
  openFileSnapshot,
  restoreFile,
  type StoreSnapshot,
} from "@callsign/node";
import { ARCHIVE_NAME, checkManifest, type Manifest } from "./manifest.ts";
import { copyFile, isSnapshotFile } from "./snapshot-files.ts";
import { refuseRunning, type StoredRole, storeFile } from "./store-place.ts";

export interface RestoreOptions {
  readonly from: string;
  /** Keeps a store that is there aside; else it is refused. */
  readonly replace: boolean;
  /** Reads everything back and compares it. */
  readonly verify: boolean;
}

export type Restored =
  | { readonly kind: "restored"; readonly archived: Archived; readonly replaced: string | null }
  /** The place has these rows already. */
  | { readonly kind: "same"; readonly archived: Archived };

export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly archived: Archived;
}

/** Reads every byte. Throws `ArchiveDamaged` or `ArchiveRefused`. */
export async function checkBackup(folder: string, host: Host): Promise<CheckedBackup> {
  const manifest = await checkManifest(folder, host);
  return { manifest, archived: await checkArchive(join(folder, ARCHIVE_NAME), host.files) };
}

/** A restore that was killed is repeated by the same call. */
export async function restoreBackup(
  role: StoredRole,
  options: RestoreOptions,
  host: Host,
): Promise<Restored> {
  const { manifest, archived } = await checkBackup(options.from, host);
  checkFits(role, manifest, archived);
  await refuseRunning(role, host);
  return role.store.database === undefined
    ? restoreToFolder(role, { ...options, manifest, archived }, host)
    : restoreToDatabase(role, { ...options, manifest, archived }, host);
}

function checkFits({ name, store }: StoredRole, manifest: Manifest, { header }: Archived): void {
  const { migrations } = store.definition;
  if (manifest.role !== name || header.store !== migrations.store)
    throw new ArchiveRefused(
      `this is a back-up of a ${manifest.role}, and the configuration is that of a ${name}`,
    );
  if (header.storeVersion > migrations.migrations.length)
    throw new ArchiveRefused(
      `the store of this back-up has version ${header.storeVersion}, and this release knows versions up to ` +
        `${migrations.migrations.length}: restore it with release ${header.release} or a later one`,
    );
  const kept = Object.keys(manifest.files).filter((each) => each !== ARCHIVE_NAME);
  const lacking = store.identityFolders
    .map((each) => join(each, IDENTITY_FILE))
    .filter((each) => !kept.includes(each));
  if (lacking.length > 0)
    throw new ArchiveRefused(`this back-up has no ${lacking.join(", ")}, which the configuration asks for`);
}

interface Restore extends RestoreOptions, CheckedBackup {}

async function restoreToDatabase(role: StoredRole, restore: Restore, host: Host): Promise<Restored> {
  const { definition, database } = role.store;
  if (database === undefined) throw new Error("the store is no database");
  const { from, archived } = restore;
  const identity =
    definition.identity === undefined ? undefined : (host.files.read(join(from, IDENTITY_FILE)) ?? undefined);
  const archivePath = join(from, ARCHIVE_NAME);
  const { restoreSchema } = await loadPostgresArchives();
  const outcome = await restoreSchema(database, { ...restore, archivePath, identity }, { definition, host });
  return { ...outcome, archived };
}

async function restoreToFolder(role: StoredRole, restore: Restore, host: Host): Promise<Restored> {
  const { dataFolder } = role;
  const { archived, replace } = restore;
  const archive = archived.trailer.sha256;
  const earlier = finishFolder(dataFolder, host);
  if (earlier?.archive === archive) return { kind: "restored", archived, replaced: earlier.aside };
  const old = listOld(role, host);
  // No process can open the old file meanwhile.
  const held = openOld(role, host);
  try {
    if (held !== undefined && (await isSame(role, held, { ...restore, host })))
      return { kind: "same", archived };
    if (old.length > 0 && !replace)
      throw new ArchiveRefused(
        `${dataFolder} is not empty (${old.join(", ")}). Give an empty folder, or --replace, which moves these aside`,
      );
    await prepareFiles(role, restore, host);
    commitFolder(dataFolder, { archive, old }, host);
  } finally {
    await held?.close();
  }
  return { kind: "restored", archived, replaced: finishFolder(dataFolder, host)?.aside ?? null };
}

async function prepareFiles({ dataFolder, store }: StoredRole, restore: Restore, host: Host): Promise<void> {
  const { definition, identityFolders } = store;
  const { from, manifest, archived, verify } = restore;
  const { files } = host;
  const prepared = beginFolder(dataFolder, host);
  const file = join(prepared, definition.fileName);
  await restoreFile({ file, archivePath: join(from, ARCHIVE_NAME), archived, definition, verify }, host);
  for (const each of identityFolders) {
    files.makeFolder(join(prepared, each));
    files.write(join(prepared, each, IDENTITY_FILE), files.read(join(from, each, IDENTITY_FILE)) ?? "");
  }
  for (const each of Object.keys(manifest.files).filter(isSnapshotFile)) {
    files.makeFolder(dirname(join(prepared, each)));
    await copyFile(join(from, each), join(prepared, each), host);
  }
}

/** The role's own names in the data folder: the file with those beside it, and identities. */
function listOld({ dataFolder, store }: StoredRole, { files }: Host): readonly string[] {
  const { definition, identityFolders } = store;
  const identities = identityFolders.map((each) => (each === "." ? IDENTITY_FILE : each));
  const isOwn = (name: string) => name.startsWith(definition.fileName) || identities.includes(name);
  return files.list(dataFolder).filter(isOwn).sort();
}

/** Undefined if there is no file, or a damaged one. Throws `DatabaseInUse`. */
function openOld(role: StoredRole, host: Host): StoreSnapshot | undefined {
  try {
    return openFileSnapshot(storeFile(role), role.store.definition, host);
  } catch (error) {
    if (error instanceof DatabaseDamaged) return undefined;
    throw error;
  }
}

async function isSame(
  { dataFolder, store }: StoredRole,
  held: StoreSnapshot,
  { archived, from, host }: Restore & { readonly host: Host },
): Promise<boolean> {
  const { definition, identityFolders } = store;
  const { files } = host;
  const isKept = (each: string) =>
    files.read(join(dataFolder, each, IDENTITY_FILE)) === files.read(join(from, each, IDENTITY_FILE));
  if (!identityFolders.every(isKept) || isMoved(join(dataFolder, definition.fileName), files)) return false;
  try {
    return await isArchived(held, archived, definition);
  } catch (error) {
    if (isSqliteDamage(error)) return false;
    throw error;
  }
}
