/**
 * Damaged database files. A store whose rows come from elsewhere is rebuilt: its files are moved into a folder beside
 * them, never deleted, and an empty database takes their place. A mark beside the file makes the move whole: it is
 * written first and moved last, so that a move that was cut short is finished at the next start. Decision 0030.
 */
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { DatabaseOptions, Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { StoreIsNewer } from "./migrations.ts";
import { asPassingFailure, asUnwritable, isSqliteDamage } from "./open-database.ts";
import { DatabaseDamaged, DatabaseInUse, DatabaseRefused, StoreUnwritable } from "./store-errors.ts";

/** The write-ahead log goes first: without its database it would be taken for that of the next one. */
const ENDS = ["-wal", "-shm", "-journal", ""];

interface Mark {
  readonly reason: string;
  /** The folder that the files are moved to. */
  readonly folder: string;
}

export interface RebuiltFile {
  /** The name of the database file. */
  readonly path: string;
  readonly reason: string;
  /** The damaged files are there. */
  readonly movedTo: string;
}

/** Removes a closed database with the files beside it. */
export function removeDatabase(path: string, { files }: Pick<Host, "files">): void {
  for (const end of ENDS) files.remove(path + end);
}

/** Has the file moved aside when it is opened next, without touching it now: it may be in use. */
export function markDamaged(path: string, reason: string, { files, clock }: Host): void {
  if (files.read(markOf(path)) !== null) return;
  const stamp = new Date(clock.wallMilliseconds()).toISOString().replace(/[:.]/g, "-");
  const mark: Mark = { reason, folder: `${path}.damaged-${stamp}` };
  files.write(markOf(path), JSON.stringify(mark));
}

/** Moves a marked file aside, or finishes that; null if there is no mark. The file must be closed. */
export function moveAside(path: string, { files }: Pick<Host, "files">): RebuiltFile | null {
  const text = files.read(markOf(path));
  if (text === null) return null;
  const { reason, folder } = readMark(path, text);
  files.makeFolder(folder);
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const end of ENDS) files.move(path + end, `${folder}/${name}${end}`);
  files.move(markOf(path), `${folder}/reason.json`);
  return { path, reason, movedTo: folder };
}

/** A mark that cannot be read is damaged as well: it still says that its file is. */
function readMark(path: string, text: string): Mark {
  const prefix = `${path}.damaged-`;
  try {
    const { reason, folder } = JSON.parse(text) as Partial<Mark>;
    if (
      typeof reason === "string" &&
      folder?.startsWith(prefix) &&
      !folder.slice(prefix.length).includes("/")
    )
      return { reason, folder };
  } catch {
    // The folder's name follows from the mark, so that a move that was cut short goes on in the same one.
  }
  return { reason: "its mark cannot be read", folder: `${prefix}${crc32(text).toString(16)}` };
}

/** True if an error of opening or using a store can only come from its file's contents. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DatabaseDamaged || isSqliteDamage(error)) return true;
  const isOther =
    [DatabaseInUse, DatabaseRefused, StoreIsNewer, StoreUnwritable].some((kind) => error instanceof kind) ||
    asUnwritable(error, null) instanceof StoreUnwritable ||
    asPassingFailure(error) !== null;
  // The system's own errors are about files and folders, not about what is in them.
  return !isOther && !(error instanceof Error && "syscall" in error);
}

export interface RebuildableFile {
  readonly path: string;
  readonly options: DatabaseOptions;
  /** The place that its rows come from, as in "it is rebuilt from the log". */
  readonly source: string;
  readonly host: Host;
  readonly log: Log;
}

/**
 * Opens the database, and with `open` everything that reads it at the start. If that shows damage, the file is moved aside
 * and an empty one is opened instead. `rebuilt` says so; null if the file was sound.
 */
export async function openRebuildable<T>(
  file: RebuildableFile,
  open: (database: DatabaseSync) => T | Promise<T>,
): Promise<{ readonly opened: T; readonly rebuilt: RebuiltFile | null }> {
  const { path, source, host, log } = file;
  const move = () => {
    const rebuilt = moveAside(path, host);
    if (rebuilt !== null) log.error(rebuilt, `a damaged store was moved aside; it is rebuilt from ${source}`);
    return rebuilt;
  };
  const marked = move();
  try {
    return { opened: await openWhole(file, open), rebuilt: marked };
  } catch (error) {
    if (!isDamage(error)) throw error;
    markDamaged(path, error instanceof Error ? error.message : String(error), host);
    const rebuilt = move();
    return { opened: await openWhole(file, open), rebuilt };
  }
}

async function openWhole<T>(
  { path, options, host }: RebuildableFile,
  open: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  const database = host.files.openDatabase(path, options);
  try {
    return await open(database);
  } catch (error) {
    if (database.isOpen) database.close();
    throw asUnwritable(error, path);
  }
}

function markOf(path: string): string {
  return `${path}.damaged`;
}
