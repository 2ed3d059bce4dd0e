/** The sentence that tells an operator why a role does not start, and what to do. */
import {
  CannotStart,
  DatabaseDamaged,
  DatabaseInUse,
  DatabaseRefused,
  StoreIsNewer,
  StoreUnwritable,
  TlsFilesRejected,
} from "@callsign/node";
import { SettingsRefused } from "@callsign/validator";

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
];

export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (TOLD.some((kind) => error instanceof kind)) return error.message;
  if ("code" in error && "port" in error) {
    const place = `port ${String(error.port)}${"address" in error ? ` of ${String(error.address)}` : ""}`;
    switch (error.code) {
      case "EADDRINUSE":
        return `${place} is in use by another program. Stop that one, or give another port (config explain callsign.port)`;
      case "EADDRNOTAVAIL":
        return `${place} cannot be listened on: this machine has no such address. Set callsign.address to one of its own`;
      case "EACCES":
        return `${place} needs more rights than this user has. Give a port above 1023`;
    }
  }
  // The system's own errors, such as a folder that cannot be written to, name their cause.
  if ("syscall" in error) return error.message;
  return error.stack ?? error.message;
}
