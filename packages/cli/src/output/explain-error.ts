/** Failures as sentences for operators; a stack only for an error that nobody has foreseen. */
import {
  ArchiveDamaged,
  ArchiveRefused,
  CannotStart,
  DatabaseDamaged,
  DatabaseInUse,
  DatabaseRefused,
  ProcessRefused,
  ProcessUnreachable,
  StoreIsNewer,
  StoreUnwritable,
  TlsFilesRejected,
} from "@callsign/node";
import { SettingsRefused } from "@callsign/validator";
import type { Terminal } from "./terminal.ts";

/** Errors whose message says everything. */
const TOLD = [
  CannotStart,
  SettingsRefused,
  TlsFilesRejected,
  DatabaseInUse,
  DatabaseDamaged,
  DatabaseRefused,
  StoreIsNewer,
  StoreUnwritable,
  ArchiveDamaged,
  ArchiveRefused,
  ProcessRefused,
  ProcessUnreachable,
];

export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The system's own errors name what was tried, and the path.
  const isTold = "syscall" in error || TOLD.some((kind) => error instanceof kind);
  return isTold ? error.message : (error.stack ?? error.message);
}

/** Resolves with a command's exit code. `failure` begins the sentence about an error, such as "the keys were not rotated". */
export async function explaining(
  failure: string,
  terminal: Terminal,
  work: () => Promise<void>,
): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    terminal.complain(`${failure}: ${explainError(error)}\n`);
    return 1;
  }
}
