/** A back-up of a role: its store as it is at one moment, and its identity. */
import { join, resolve } from "node:path";
import {
  type Archived,
  ArchiveRefused,
  type Host,
  IDENTITY_FILE,
  type StoreSnapshot,
  writeArchive,
} from "@callsign/node";
import { ARCHIVE_NAME, type Manifest, writeManifest } from "./manifest.ts";
import { chooseSnapshot, copySnapshots } from "./snapshot-files.ts";
import { describePlace, openAnyhow, type StoredRole } from "./store-place.ts";

export interface Backup {
  readonly archived: Archived;
  readonly manifest: Manifest;
}

/** The folder is there, whole, when this resolves; before that there is only one with the ending `.partial`. */
export async function takeBackup(role: StoredRole, to: string, host: Host): Promise<Backup> {
  const { files } = host;
  const folder = resolve(to);
  if (files.list(folder).length > 0)
    throw new ArchiveRefused(`${folder} is not empty: give a folder of its own to each back-up`);
  const partial = `${folder}.partial`;
  files.remove(partial);
  files.makeFolder(partial);
  const copied = await copySnapshots(role, partial, host);
  const snapshot = await openAnyhow(role, partial, host);
  const writing = writeBackup(role, { snapshot, copied, folder: partial }, host);
  const backup = await writing.finally(() => snapshot.close());
  files.move(partial, folder);
  return backup;
}

interface Writing {
  readonly snapshot: StoreSnapshot;
  /** Snapshots of SVs that are in the folder, each with its entry. */
  readonly copied: ReadonlyMap<string, number>;
  readonly folder: string;
}

/** Writes the files of the back-up into a folder that is empty but for the copied snapshots. */
export async function writeBackup(
  role: StoredRole,
  { snapshot, copied, folder }: Writing,
  host: Host,
): Promise<Backup> {
  const { definition, identityFolders } = role.store;
  const { files } = host;
  const names = [ARCHIVE_NAME, ...(await chooseSnapshot(role, { copied, folder, sql: snapshot.sql }, host))];
  for (const each of identityFolders) {
    const name = join(each, IDENTITY_FILE);
    files.makeFolder(join(folder, each));
    files.write(join(folder, name), await readIdentity(role, snapshot, { name, host }));
    names.push(name);
  }
  const archived = await writeArchive(snapshot, join(folder, ARCHIVE_NAME), { definition, host });
  const { takenAt, position } = archived.header;
  const manifest = await writeManifest(folder, { role: role.name, takenAt, position, names }, host);
  return { archived, manifest };
}

async function readIdentity(
  role: StoredRole,
  snapshot: StoreSnapshot,
  { name, host }: { readonly name: string; readonly host: Host },
): Promise<string> {
  const { definition, database } = role.store;
  const text =
    database === undefined
      ? host.files.read(join(role.dataFolder, name))
      : await definition.identity?.find(snapshot.sql);
  if (text !== undefined && text !== null) return text;
  const place = database === undefined ? join(role.dataFolder, name) : describePlace(role);
  throw new ArchiveRefused(`there is no identity at ${place}: the ${role.name} was never started there`);
}
