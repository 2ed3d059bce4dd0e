/** The sentence that tells a user why the local network did not start, and what to do. */
import { CannotStart, DatabaseDamaged, DatabaseInUse, StoreIsNewer, StoreUnwritable } from "@callsign/node";
import { AcronymRefused } from "./acronym.ts";
import { USAGE, UsageError } from "./arguments.ts";
import { PortsInUse } from "./check-ports.ts";
import { NotADataFolder } from "./data-folder.ts";

/** Exit codes, apart from 0: the network cannot start, and the command line cannot be meant. */
const CANNOT_START = 1;
const WRONG_USAGE = 2;

export interface Explanation {
  readonly text: string;
  readonly exitCode: number;
}

export function explainFailedStart(error: unknown): Explanation {
  if (error instanceof UsageError) return { text: `${error.message}\n${USAGE}`, exitCode: WRONG_USAGE };
  return { text: explain(error), exitCode: CANNOT_START };
}

function explain(error: unknown): string {
  if (error instanceof NotADataFolder) return error.message;
  if (error instanceof DatabaseInUse)
    return `The local network runs already with this data folder: stop it first, or give another one with --data.\n(${error.message})`;
  if (error instanceof StoreUnwritable)
    return `The local network cannot start: ${error.message}. Make room, or give another folder with --data.`;
  if (error instanceof CannotStart || error instanceof DatabaseDamaged || error instanceof StoreIsNewer)
    return `The local network cannot start: ${error.message}.\nIf its data does not matter, begin anew with --fresh.`;
  if (error instanceof AcronymRefused) return `The local network cannot start: ${error.message}.`;
  if (error instanceof PortsInUse) return `${error.message} Stop that program, or start with --any-ports.`;
  // The system's own errors, such as a folder that cannot be written to, name their cause.
  if (error instanceof Error && "syscall" in error) return `The local network cannot start: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
