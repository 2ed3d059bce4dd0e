/**
 * The golden logs as files: the entries in their bytes, two lines each with an empty line between them, and
 * beside them the digests that replaying them must give. The second log goes on from the end of the first; the third one is
 * of a later protocol version. Two are of version 4, without and with a clock that can be moved, and the last one is of version 5.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  formatLogEntry,
  type LogEntry,
  parseLogEntry,
} from "../../packages/ledger/src/transition/log-entry.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";

const folder = join(import.meta.dirname, "..", "golden");

export interface GoldenFiles {
  readonly log: string;
  readonly digests: string;
}

export const FOUNDED: GoldenFiles = {
  log: join(folder, "log.txt"),
  digests: join(folder, "digests.json"),
};
export const CONTINUED: GoldenFiles = {
  log: join(folder, "continued-log.txt"),
  digests: join(folder, "continued-digests.json"),
};
/** In protocol version 3 cancelled names are taken up again. */
export const TAKEN_UP: GoldenFiles = {
  log: join(folder, "take-up-log.txt"),
  digests: join(folder, "take-up-digests.json"),
};
/** In protocol version 4 several SVs back the time, strangers are held to a rate, and SVs come and go. */
export const BACKED_TIME: GoldenFiles = {
  log: join(folder, "backed-time-log.txt"),
  digests: join(folder, "backed-time-digests.json"),
};
/** The same story where the clock can be moved: strangers are welcome there. */
export const MOVED_TIME: GoldenFiles = {
  log: join(folder, "moved-time-log.txt"),
  digests: join(folder, "moved-time-digests.json"),
};
/** In protocol version 5 parties choose the names that they are called by. */
export const PRIMARY_NAME: GoldenFiles = {
  log: join(folder, "primary-name-log.txt"),
  digests: join(folder, "primary-name-digests.json"),
};
export const LOG_FILE = FOUNDED.log;
/** A digest is kept at this interval of entries, so that a difference is found near where it arises. */
export const DIGEST_INTERVAL = 50;

export interface GoldenDigests {
  readonly entries: number;
  /** By the sequence number after which it holds. */
  readonly digests: Readonly<Record<string, string>>;
  readonly final: string;
}

export function hasGoldenLog({ log, digests }: GoldenFiles = FOUNDED): boolean {
  return existsSync(log) || existsSync(digests);
}

export function formatLog(log: readonly LogEntry[]): string {
  return `${log.map(formatLogEntry).join("\n\n")}\n`;
}

export function parseLog(text: string): readonly LogEntry[] {
  return text
    .replace(/\n$/, "")
    .split("\n\n")
    .map((bytes) => expectParsed(parseLogEntry(bytes)));
}

export function readGoldenLog(files: GoldenFiles = FOUNDED): {
  readonly log: readonly LogEntry[];
  readonly expected: GoldenDigests;
} {
  const expected = JSON.parse(readFileSync(files.digests, "utf8")) as GoldenDigests;
  return { log: parseLog(readFileSync(files.log, "utf8")), expected };
}

export function writeGoldenLog(files: GoldenFiles, log: readonly LogEntry[], expected: GoldenDigests): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(files.log, formatLog(log));
  writeFileSync(files.digests, `${JSON.stringify(expected, null, 2)}\n`);
}
