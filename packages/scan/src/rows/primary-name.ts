/** The entry that a party chose to be called by (decision 0073). */
import { AnsEntry, isPrimaryEntry, PrimaryName } from "@callsign/ledger";
import { findContract } from "../contracts/find-contract.ts";
import type { ScanIndex } from "./scan-index.ts";

/** The JSON of the entry; undefined if the party chose none, or its latest choice has lapsed. */
export function findPrimaryName(
  {
    partyContracts,
    namePages,
    state,
    now,
  }: Pick<ScanIndex, "partyContracts" | "namePages" | "state" | "now">,
  party: string,
): string | undefined {
  const primary = partyContracts.findNewest(PrimaryName, party)?.payload;
  if (primary === undefined) return undefined;
  const owned = namePages.findOwned({ owner: party, name: primary.name, now });
  const entry = owned && findContract(state, AnsEntry, owned.contractId);
  if (entry === undefined) return undefined;
  const { payload, contract } = entry;
  return isPrimaryEntry(primary, { payload, createdAt: contract.createdAt }) ? owned?.json : undefined;
}
