/**
 * A file that says which process serves a data folder, for commands of the same user. A process that was killed leaves its
 * record behind: a record counts only while its process lives.
 */
import { z } from "zod";
import type { Host } from "../host/host.ts";

const ProcessRecord = z.looseObject({
  pid: z.int().positive(),
  /** When the process began, in the system's own count; null where the system does not tell it. */
  began: z.string().nullable(),
});

/** Writes the record of this process. Nobody else can read it. */
export function writeProcessRecord(path: string, description: object, { files }: Pick<Host, "files">): void {
  const { pid } = process;
  files.write(path, `${JSON.stringify({ ...description, pid, began: beginningOf(pid, files) })}\n`);
}

export interface FoundRecord {
  readonly pid: number;
  readonly description: Readonly<Record<string, unknown>>;
  /** False for the record of a process that was killed. */
  readonly isAlive: boolean;
}

/** Null if there is no record, or one that cannot be read. */
export function readProcessRecord(path: string, { files }: Pick<Host, "files">): FoundRecord | null {
  const record = ProcessRecord.safeParse(parse(files.read(path)));
  if (!record.success) return null;
  const { pid, began, ...description } = record.data;
  // Another process may have got the number of one that was killed.
  return { pid, description, isAlive: isProcess(pid) && beginningOf(pid, files) === began };
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

/** Linux has it as the 22nd field of a line whose second field, in brackets, may have spaces. */
function beginningOf(pid: number, files: Host["files"]): string | null {
  const [, fields = ""] = /^.*\) (.*)$/s.exec(files.read(`/proc/${pid}/stat`) ?? "") ?? [];
  return fields.split(" ")[19] ?? null;
}
