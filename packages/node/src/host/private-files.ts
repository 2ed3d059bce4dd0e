/** Files and folders for the process's own user alone, whatever its umask allows. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/** Makes the folders above it as well. Folders that exist stay as they are: they may be everybody's, as `/tmp` is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates the file if it is missing; one that others may use becomes private. Devices and another user's files stay. */
export function makePrivateFile(path: string): void {
  try {
    // SQLite and others would create it with whatever the umask leaves.
    closeSync(openSync(path, "ax", OWNER_ALONE));
  } catch {
    // It exists, or cannot be made: opening it says why.
    tightenFile(path);
  }
}

/** A file or socket that others may use becomes private, if there is one. */
export function tightenFile(path: string): void {
  try {
    const found = lstatSync(path);
    if ((found.isFile() || found.isSocket()) && (found.mode & OTHERS) !== 0) chmodSync(path, OWNER_ALONE);
  } catch {
    // It is missing, or another user's.
  }
}
