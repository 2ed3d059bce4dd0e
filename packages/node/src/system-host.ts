/** The machine's own clock, timers, randomness, files and HTTP. No other file uses them directly. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDatabase } from "./database/open-database.ts";
import { errorCodeOf } from "./host/error-code.ts";
import type { FileMove, FoundFile, Host } from "./host/host.ts";
import { createServer, createTlsServer } from "./host/node-http.ts";
import { makePrivateFolder, tightenFile } from "./host/private-files.ts";
import { RandomPool } from "./host/random-pool.ts";
import { openHttpClient } from "./http-client/http-client.ts";

/** About 24 days. Node fires a timer at once that is set for longer; here it fires after these. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

const randomPool = new RandomPool(randomBytes);

export const systemHost: Host = {
  clock: {
    wallMilliseconds: () => Date.now(),
    elapsedMilliseconds: () => performance.now(),
  },
  timers: {
    // Node warns of a time that is past.
    set: (callback, milliseconds) =>
      setTimeout(callback, Math.min(Math.max(milliseconds, 0), MAX_TIMER_MILLISECONDS)),
    clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
    soon: (callback) => void setImmediate(callback),
  },
  randomness: {
    bytes: (length) => randomPool.take(length),
    uuid: () => randomUUID(),
    fraction: () => Math.random(),
  },
  files: {
    read: (path) => unlessMissing(() => readFileSync(path, "utf8"), null),
    // A rename replaces the file whole.
    write: (path, text) => {
      writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
    },
    openRead: (path, start = 0) => createReadStream(path, { start }),
    size: (path) => statSync(path, { throwIfNoEntry: false })?.size ?? null,
    openWrite: (path) => createWriteStream(path, { mode: 0o600, flush: true }),
    makeFolder: makePrivateFolder,
    makePrivate: tightenFile,
    list: (folder) => unlessMissing(() => readdirSync(folder), []),
    remove: (path) => rmSync(path, { recursive: true, force: true }),
    move: (from, to) => moveAll([{ from, to }]),
    moveAll,
    copy: (from, to) => {
      copyFileSync(from, to, constants.COPYFILE_FICLONE);
      tightenFile(to);
    },
    sync: syncFile,
    listFiles: (folder, names) => names.flatMap((name) => listFiles(folder, name)),
    freeBytes: (folder) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    openDatabase,
  },
  http: {
    openClient: (options) => openHttpClient(systemHost, options),
    createServer: (options) => createServer(options),
    createTlsServer: (options) => createTlsServer(options),
  },
};

function moveAll(moves: readonly FileMove[]): void {
  const folders = new Set<string>();
  for (const { from, to } of moves)
    unlessMissing(() => {
      renameSync(from, to);
      folders.add(dirname(to)).add(dirname(from));
    }, undefined);
  for (const folder of folders) syncFolder(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function listFiles(folder: string, name: string): readonly FoundFile[] {
  const path = join(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [{ path: name, bytes: found.size }];
  return readdirSync(path).flatMap((inner) => listFiles(folder, join(name, inner)));
}

/** The names of its files are on disk afterwards. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Any other error than a missing file is thrown: a file that cannot be read for a moment is still there. */
function unlessMissing<T>(read: () => T, missing: T): T {
  try {
    return read();
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return missing;
    throw error;
  }
}
