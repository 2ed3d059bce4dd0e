/**
 * The golden log as files: the entries in their bytes, two lines each with an empty line between them, and
 * beside them the digests that replaying them must give.
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
export const LOG_FILE = join(folder, "log.txt");
export const DIGESTS_FILE = join(folder, "digests.json");
/** A digest is kept at this interval of entries, so that a difference is found near where it arises. */
export const DIGEST_INTERVAL = 50;

export interface GoldenDigests {
  readonly entries: number;
  /** By the sequence number after which it holds. */
  readonly digests: Readonly<Record<string, string>>;
  readonly final: string;
}

export function hasGoldenLog(): boolean {
  return existsSync(LOG_FILE) || existsSync(DIGESTS_FILE);
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

export function readGoldenLog(): { readonly log: readonly LogEntry[]; readonly expected: GoldenDigests } {
  const expected = JSON.parse(readFileSync(DIGESTS_FILE, "utf8")) as GoldenDigests;
  return { log: parseLog(readFileSync(LOG_FILE, "utf8")), expected };
}

export function writeGoldenLog(log: readonly LogEntry[], expected: GoldenDigests): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(LOG_FILE, formatLog(log));
  writeFileSync(DIGESTS_FILE, `${JSON.stringify(expected, null, 2)}\n`);
}
