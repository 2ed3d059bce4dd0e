/** Marks beside a SQLite file that keep a process from starting on it. On PostgreSQL the schema's comment is the mark. */
import { dirname, join } from "node:path";
import type { Files, Host } from "../host/host.ts";
import { DatabaseRefused } from "./store-errors.ts";

/** The file has this name with the ending behind it. */
const MOVED_ENDING = ".moved";
/** The folder of a restore that is under way, in the data folder. */
export const RESTORING = "restoring";
/** The restore's mark in that folder: from here on it is finished, never undone. */
export const RESTORE_MARK = "commit.json";

const MOVED = "callsign: moved to ";

export function markMoved(file: string, place: string, { files }: Pick<Host, "files">): void {
  files.write(file + MOVED_ENDING, JSON.stringify({ movedTo: place }));
}

export function isMoved(file: string, files: Files): boolean {
  return files.read(file + MOVED_ENDING) !== null;
}

/** Throws `DatabaseRefused` if the store was moved, or a restore into its folder is not finished. */
export function refuseMarked(file: string, files: Files): void {
  if (files.read(join(dirname(file), RESTORING, RESTORE_MARK)) !== null)
    throw new DatabaseRefused(
      `a restore into ${dirname(file)} was interrupted: run the same restore again, it goes on from there`,
    );
  const text = files.read(file + MOVED_ENDING);
  if (text === null) return;
  const { movedTo } = JSON.parse(text) as { readonly movedTo: string };
  throw new DatabaseRefused(
    `${file} was moved to ${movedTo}: start with the configuration of that place. To go back to this older state, ` +
      `delete ${file}${MOVED_ENDING}`,
  );
}

/** The comment of a schema whose store was moved. */
export function movedComment(place: string): string {
  return MOVED + place;
}

/** The place that a schema's comment names; null if its store was not moved. */
export function movedPlaceOf(comment: unknown): string | null {
  return typeof comment === "string" && comment.startsWith(MOVED) ? comment.slice(MOVED.length) : null;
}
