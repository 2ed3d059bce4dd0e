/** Snapshots in the back-ups of SVs: the replicas of a log whose first entries were pruned are made from them. */
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArchiveRefused, type Host, type Sql, silentLog } from "@callsign/node";
import { SnapshotFolder } from "@callsign/synchronizer";
import type { StoredRole } from "./store-place.ts";

const SNAPSHOT_FILE = /(^|\/)snapshot-[1-9]\d*\.db$/;

export function isSnapshotFile(name: string): boolean {
  return SNAPSHOT_FILE.test(name);
}

/**
 * Copies the proven snapshots of the role's SVs into the back-up's folder. Call it before the log is copied: the log then has
 * the entries behind each of them. Returns their names in the folder, each with its entry.
 */
export async function copySnapshots(
  { dataFolder, store }: StoredRole,
  to: string,
  host: Host,
): Promise<ReadonlyMap<string, number>> {
  const copied = new Map<string, number>();
  if (store.findLogStart === undefined) return copied;
  for (const folder of store.identityFolders) {
    host.files.makeFolder(join(to, folder));
    for (const name of host.files.list(join(dataFolder, folder)).filter(isSnapshotFile))
      await copyFile(join(dataFolder, folder, name), join(to, folder, name), host);
    // A file that is not whole, or changed while it was copied, is removed here.
    for (const file of new SnapshotFolder(join(to, folder), {
      files: host.files,
      log: silentLog,
    }).openAll()) {
      const { source, path } = file;
      file.close();
      if (source === null) host.files.remove(path);
      else copied.set(path.slice(to.length + 1), source.manifest.head.sequence);
    }
  }
  return copied;
}

/** The snapshot that the archived log goes on from, if its first entries were pruned. The others are removed. */
export async function chooseSnapshot(
  role: StoredRole,
  { copied, folder, sql }: { copied: ReadonlyMap<string, number>; folder: string; sql: Sql },
  { files }: Host,
): Promise<readonly string[]> {
  const start = (await role.store.findLogStart?.(sql)) ?? 0;
  const fitting = [...copied].find(([, sequence]) => start > 0 && sequence >= start)?.[0];
  for (const name of copied.keys()) if (name !== fitting) files.remove(join(folder, name));
  if (start > 0 && fitting === undefined)
    throw new ArchiveRefused(
      `the log begins behind entry ${start}, and no SV of ${role.dataFolder} has a snapshot that a quorum attested and that ` +
        "takes the place of the entries before it: start the SVs, wait for the next day's snapshot, and back up again",
    );
  return fitting === undefined ? [] : [fitting];
}

export async function copyFile(from: string, to: string, { files }: Host): Promise<void> {
  await pipeline(files.openRead(from), files.openWrite(to));
}
