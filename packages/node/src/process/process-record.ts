/**
 * A file that says which process serves a data folder, for commands of the same user. A process that was killed leaves its
 * record behind: a record counts only while its process lives.
 */
import { z } from "zod";
import type { Host } from "../host/host.ts";

const ProcessRecord = z.looseObject({ pid: z.int().positive() });

/** Writes the record of this process. Nobody else can read it. */
export function writeProcessRecord(path: string, description: object, { files }: Pick<Host, "files">): void {
  files.write(path, `${JSON.stringify({ ...description, pid: process.pid })}\n`);
}

export interface FoundRecord {
  readonly pid: number;
  readonly description: Readonly<Record<string, unknown>>;
  /** False for the record of a process that was killed. */
  readonly isAlive: boolean;
}

/**
 * Null if there is no record, or one that cannot be read. `word` stands in the command line of every process that writes such
 * records: another process may have got the number of one that was killed.
 */
export function readProcessRecord(
  path: string,
  word: string,
  { files }: Pick<Host, "files">,
): FoundRecord | null {
  const record = ProcessRecord.safeParse(parse(files.read(path)));
  if (!record.success) return null;
  const { pid, ...description } = record.data;
  return { pid, description, isAlive: isProcess(pid) && hasWord(pid, word, files) };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** A process of another user counts as well. */
function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Systems without /proc do not tell the command line here. */
function hasWord(pid: number, word: string, files: Host["files"]): boolean {
  const words = files.read(`/proc/${pid}/cmdline`);
  return words === null || words.includes(word);
}
