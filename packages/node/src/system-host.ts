/** The machine's own clock, timers, randomness, files and HTTP. No other file uses them directly. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { openDatabase } from "./database/open-database.ts";
import { errorCodeOf } from "./host/error-code.ts";
import type { Host } from "./host/host.ts";
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
    set: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MILLISECONDS)),
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
    openRead: (path) => createReadStream(path),
    openWrite: (path) => createWriteStream(path, { mode: 0o600, flush: true }),
    makeFolder: makePrivateFolder,
    makePrivate: tightenFile,
    list: (folder) => unlessMissing(() => readdirSync(folder), []),
    remove: (path) => rmSync(path, { recursive: true, force: true }),
    move: (from, to) =>
      unlessMissing(() => {
        renameSync(from, to);
        for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
      }, undefined),
    openDatabase,
  },
  http: {
    openClient: (options) => openHttpClient(systemHost, options),
    createServer: (options) => createServer(options),
    createTlsServer: (options) => createTlsServer(options),
  },
};

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
