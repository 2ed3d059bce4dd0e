import { AnsEntry } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import type { FoundContract, LedgerFacts } from "../ledger-facts.ts";

/** Of the entries with that name the one that expires last; a name may have entries that nobody has archived yet. */
export function findLatestEntry(
  facts: LedgerFacts,
  nameKey: bigint,
  name: string,
): FoundContract<typeof AnsEntry> | null {
  let latest: FoundContract<typeof AnsEntry> | null = null;
  for (const entry of facts.listBy(AnsEntry, "nameKey", nameKey, FEW)) {
    if (entry.payload.name !== name) continue;
    if (latest === null || entry.payload.expiresAt > latest.payload.expiresAt) latest = entry;
  }
  return latest;
}
