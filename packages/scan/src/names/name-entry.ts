/**
 * A name entry as scan answers it. The JSON is made once, when the entry is written: making it for every
 * answer would take longer than finding the entry.
 */
import type { AnsEntry as ShownEntry } from "@callsign/api";
import {
  type AnsEntry,
  type ContractId,
  formatTime,
  type PayloadOf,
  type Time,
  type WellKnownEntry,
} from "@callsign/ledger";

/** The whole body of a lookup's answer, and the facts that its headers need. */
export interface FoundName {
  readonly kind: "found";
  readonly answer: string;
  /** The same at every scan: two answers with one tag are the same bytes. Null for a well-known name. */
  readonly tag: string | null;
  /** Null for a well-known name. */
  readonly expiresAt: Time | null;
}

/** The JSON of an entry begins with its contract id, or null. */
const CONTRACT_START = '{"contract_id":"00';
/** The part of the id that differs between contracts. */
const TAG_LENGTH = 64;

/** A contract never changes, so that its id makes the tag of its entry. Null for a well-known name, which has no contract. */
export function tagOf(entryJson: string): string | null {
  if (!entryJson.startsWith(CONTRACT_START)) return null;
  return entryJson.slice(CONTRACT_START.length, CONTRACT_START.length + TAG_LENGTH);
}

export function foundName(entryJson: string, expiresAt: Time | null): FoundName {
  return { kind: "found", answer: `{"entry":${entryJson}}`, tag: tagOf(entryJson), expiresAt };
}

export function formatNameEntry(contractId: ContractId, entry: PayloadOf<typeof AnsEntry>): string {
  const { user, name, url, description, expiresAt } = entry;
  return format({ contract_id: contractId, user, name, url, description, expires_at: formatTime(expiresAt) });
}

/** A well-known name has no contract and no expiry: both fields are null, and never left out. */
export function formatWellKnownEntry({ party, name, url, description }: WellKnownEntry): string {
  return format({ contract_id: null, user: party, name, url, description, expires_at: null });
}

function format(entry: ShownEntry): string {
  return JSON.stringify(entry);
}
