/**
 * A name entry as scan answers it. The text is made once, when the entry is written, and handed out as it is: to
 * make it anew for every answer would take longer than to find the entry.
 */
import type { AnsEntry as ShownEntry } from "@callsign/api";
import {
  type AnsEntry,
  type ContractId,
  formatTime,
  type PayloadOf,
  type WellKnownEntry,
} from "@callsign/ledger";

/** The whole text that a lookup is answered with. */
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

/** There is no contract behind it and it never expires: both are null, and never left out. */
export function formatWellKnownEntry({ party, name, url, description }: WellKnownEntry): string {
  return format({ contract_id: null, user: party, name, url, description, expires_at: null });
}

function format(entry: ShownEntry): string {
  return JSON.stringify(entry);
}
