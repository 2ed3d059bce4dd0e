/** The hashes that stored entries are checked by. */
import { hashLogEntry, parseLogEntry } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import type { LogHead } from "./ordered-log.ts";

/** The hash of an entry stands in the one after it. Empty if that one is damaged. */
export function previousHashOf(bytes: string): string {
  const entry = parseLogEntry(bytes);
  return entry.ok ? entry.value.previousHash : "";
}

/** The reason why these bytes are not the log's last entry; null if they are. */
export function findDamagedEnd(bytes: string | undefined, { sequence, entryHash }: LogHead): string | null {
  if (bytes === undefined) return `its last entry, ${sequence}, is missing`;
  const entry = parseLogEntry(bytes);
  if (!entry.ok) return `its last entry, ${sequence}, cannot be read`;
  if (entry.value.sequence !== sequence)
    return `its last entry has the number ${entry.value.sequence}, and its head says ${sequence}`;
  return hashLogEntry(sha256, entry.value) === entryHash
    ? null
    : `its last entry, ${sequence}, does not have the hash that its head says`;
}
