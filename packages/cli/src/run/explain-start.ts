/** The sentence that tells an operator why a role does not start, and what to do. */
import { explainError } from "../output/explain-error.ts";

export function explainStart(error: unknown): string {
  const told = explainError(error);
  if (!(error instanceof Error)) return told;
  const { code, syscall } = error as SystemError;
  if (syscall === "listen" || syscall === "bind" || syscall === "getaddrinfo")
    return explainPort(told, error as SystemError);
  if (code === "ENOSPC" || code === "EDQUOT")
    return `${told}. The disk is full: make room, or set callsign.dataFolder to a folder on another one`;
  // The folder of data is the one thing that a start makes and writes.
  if (syscall !== undefined)
    return `${told}. Set callsign.dataFolder to a folder that this user may write to`;
  return told;
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
