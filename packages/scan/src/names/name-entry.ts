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
  type WellKnownEntry,
} from "@callsign/ledger";

/** The whole body of a lookup's answer. */
export interface FoundName {
  readonly kind: "found";
  readonly answer: string;
}

export function foundName(entryJson: string): FoundName {
  return { kind: "found", answer: `{"entry":${entryJson}}` };
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
