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
  const { code, syscall } = error as SystemError;
  if (syscall === "listen" || syscall === "bind" || syscall === "getaddrinfo")
    return explainPort(error.message, error as SystemError);
  if (code === "ENOSPC" || code === "EDQUOT")
    return `${error.message}. The disk is full: make room, or set callsign.dataFolder to a folder on another one`;
  // The folder of data is the one thing that a start makes and writes.
  if (syscall !== undefined)
    return `${error.message}. Set callsign.dataFolder to a folder that this user may write to`;
  return error.stack ?? error.message;
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly hostname?: string;
  /** Missing if any free port would have done. */
  readonly port?: number;
}

function explainPort(message: string, { code, address, hostname, port = 0 }: SystemError): string {
  const place = `port ${port}${address === undefined ? "" : ` of ${address}`}`;
  switch (code) {
    case "EADDRINUSE":
      return `${place} is in use by another program. Stop that one, or give another port (config explain callsign.port)`;
    case "EADDRNOTAVAIL":
      return `${place} cannot be listened on: this machine has no such address. Set callsign.address to one of its own`;
    case "EACCES":
      return `${place} needs more rights than this user has. Give a port above 1023`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the address ${hostname ?? address} cannot be found. Set callsign.address to one of this machine's own`;
    default:
      return message;
  }
}
