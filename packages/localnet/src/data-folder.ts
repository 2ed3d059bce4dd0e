/** The folder of the network's data: its files, the check that it can hold them, and their deletion. */
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Closing, DatabaseInUse, type Host, RESTORING } from "@callsign/node";
import { SqliteLog } from "@callsign/synchronizer";
import { NODE_NAMES } from "./ports.ts";

export const SV_NAMES: readonly string[] = [1, 2, 3, 4].map((number) => `sv-${number}`);

/** 3 for `sv-3`. */
export function numberOf(svName: string): number {
  return SV_NAMES.indexOf(svName) + 1;
}

/** The replica that the SVs share, and its folder. */
export const SHARED_REPLICA = "svs";

const LOG_FILE = "log.db";
const TRIAL = ".writable";
/** Locked by the process that uses the folder, also while a restore replaces the log. */
const LOCK = ".lock";
export const SNAPSHOTS = "snapshots";
const OWN = new Set<string>([...NODE_NAMES, ...SV_NAMES, SHARED_REPLICA]);
/** A restore that was cut short may have left them alone. */
const BESIDE = new Set<string>([SNAPSHOTS, RESTORING]);
/** Files of the system, and hidden ones, are nobody's data. */
const NOT_DATA = /^\.|^lost\+found$/;

/** The given folder cannot hold a network's data; the message says why, and what to do. */
export class NotADataFolder extends Error {
  override readonly name = "NotADataFolder";
}

/** Makes the folder. Throws if it cannot be written, or has files and none of a local network. */
export function prepareDataFolder(dataFolder: string, { files }: Host): void {
  try {
    files.makeFolder(dataFolder);
    checkOwn(dataFolder, files.list(dataFolder));
    // SQLite tells less than the system about a folder that cannot be written.
    files.makeFolder(join(dataFolder, TRIAL));
    files.remove(join(dataFolder, TRIAL));
  } catch (error) {
    throw explainSystemError(error, dataFolder);
  }
}

/** A folder of its own, which is deleted when everything that was started after it has closed. */
export function openTemporaryFolder(closing: Closing, { files, randomness }: Host): string {
  const folder = join(tmpdir(), `callsign-localnet-${randomness.uuid()}`);
  closing.add({ close: async () => files.remove(folder) });
  return folder;
}

/** Deletes the network's own files and no others. Throws if another process uses them: opening the log shows it. */
export async function forget(dataFolder: string, host: Host): Promise<void> {
  const found = host.files.list(dataFolder);
  if (!found.includes(LOG_FILE)) return;
  await checkNotInUse(logPath(dataFolder), host);
  for (const name of listData(dataFolder, host)) host.files.remove(join(dataFolder, name));
}

/** The names of the network's own files and folders, without those of its snapshots. */
export function listData(dataFolder: string, { files }: Pick<Host, "files">): readonly string[] {
  return files.list(dataFolder).filter((name) => OWN.has(name) || name.startsWith(LOG_FILE));
}

/** Throws `DatabaseInUse` if another process uses the folder. */
export function lockDataFolder(dataFolder: string, closing: Closing, { files }: Host): void {
  const lock = files.openDatabase(join(dataFolder, LOCK), { exclusive: true, synced: false });
  closing.add({ close: async () => lock.close() });
}

export function logPath(dataFolder: string): string {
  return join(dataFolder, LOG_FILE);
}

function checkOwn(dataFolder: string, found: readonly string[]): void {
  const strange = found.filter((name) => !NOT_DATA.test(name));
  const isOwn = (name: string) => name === LOG_FILE || OWN.has(name) || BESIDE.has(name);
  if (strange.length === 0 || strange.some(isOwn)) return;
  throw new NotADataFolder(
    `${dataFolder} has files, such as ${strange[0]}, but none of a local network: nothing was changed or deleted. ` +
      "Give an empty or a new folder with --data.",
  );
}

/** A log that cannot be read is not in use. */
async function checkNotInUse(path: string, host: Host): Promise<void> {
  try {
    await new SqliteLog(path, host).close();
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
  }
}

function explainSystemError(error: unknown, dataFolder: string): unknown {
  if (error instanceof NotADataFolder || !(error instanceof Error) || !("code" in error)) return error;
  const refuse = (why: string) => new NotADataFolder(`${why} with --data.`, { cause: error });
  switch (error.code) {
    case "EEXIST":
    case "ENOTDIR":
      return refuse(
        `${dataFolder} cannot be the data folder: it, or what is above it, is a file. Give a folder`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
    // Node says so of a read-only file system.
    case "ENOENT": {
      const isForbidden = error.code === "EACCES" || error.code === "EPERM";
      const reason = isForbidden ? "you may not write there" : "its file system is read-only";
      return refuse(`The data folder ${dataFolder} cannot be written: ${reason}. Give a folder of your own`);
    }
    case "ENOSPC":
    case "EDQUOT":
      return refuse(`The disk of ${dirname(dataFolder)} is full. Make room, or give another folder`);
    default:
      return error;
  }
}
