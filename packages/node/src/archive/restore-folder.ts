/**
 * The files of a restore go into place all together. They are prepared in the folder `restoring` of the data folder; a mark
 * in it is the commit. Before the mark the data folder is as it was. Behind it the restore is only ever finished: files of
 * before go aside, the prepared ones take their places, and the folder with the mark goes away last.
 */
import { join } from "node:path";
import { RESTORE_MARK, RESTORING } from "../database/store-marks.ts";
import type { Host } from "../host/host.ts";

type FilesOf = Pick<Host, "files">;

interface Mark {
  /** The hash of the archive that is restored. */
  readonly archive: string;
  /** Names in the data folder, of files or of folders. */
  readonly prepared: readonly string[];
  readonly old: readonly string[];
  /** The folder for the old ones, in the data folder. */
  readonly aside: string | null;
}

/** Returns the folder for the prepared files, empty. */
export function beginFolder(folder: string, { files }: FilesOf): string {
  const restoring = join(folder, RESTORING);
  files.remove(restoring);
  files.makeFolder(restoring);
  return restoring;
}

interface FolderCommit {
  readonly archive: string;
  /** The names that go aside. */
  readonly old: readonly string[];
}

/** Call `finishFolder` next. */
export function commitFolder(
  folder: string,
  { archive, old }: FolderCommit,
  { files, clock }: Pick<Host, "files" | "clock">,
): void {
  const restoring = join(folder, RESTORING);
  const stamp = new Date(clock.wallMilliseconds()).toISOString().replace(/[:.]/g, "-");
  const mark: Mark = {
    archive,
    prepared: files.list(restoring),
    old,
    aside: old.length === 0 ? null : `replaced-${stamp}`,
  };
  files.write(join(restoring, RESTORE_MARK), JSON.stringify(mark));
}

export interface FinishedFolder {
  readonly archive: string;
  /** The folder of the old files. */
  readonly aside: string | null;
}

/** Finishes a restore that was committed; undefined if there is none. */
export function finishFolder(folder: string, { files }: FilesOf): FinishedFolder | undefined {
  const restoring = join(folder, RESTORING);
  const text = files.read(join(restoring, RESTORE_MARK));
  if (text === null) return undefined;
  const { archive, prepared, old, aside } = JSON.parse(text) as Mark;
  const waiting = files.list(restoring);
  if (aside !== null) {
    files.makeFolder(join(folder, aside));
    // A prepared file that is gone from here is in place: the file of its name there is not old.
    const isOld = (name: string) => !prepared.includes(name) || waiting.includes(name);
    const moves = old.filter(isOld);
    files.moveAll(moves.map((name) => ({ from: join(folder, name), to: join(folder, aside, name) })));
  }
  files.moveAll(prepared.map((name) => ({ from: join(restoring, name), to: join(folder, name) })));
  files.remove(restoring);
  return { archive, aside: aside === null ? null : join(folder, aside) };
}
