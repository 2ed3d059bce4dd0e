/** The contracts by which a party says what it is called by (decision 0073). */
import type { Command } from "@callsign/api";
import { findLatestPrimary, PrimaryName } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";

/** The one that counts, unless its name has lapsed. */
export async function findPrimary(
  store: WalletStore,
  party: string,
): Promise<WalletContract<PrimaryName> | undefined> {
  let latest: WalletContract<PrimaryName> | undefined;
  for await (const each of store.listAll(PrimaryName, party))
    latest = findLatestPrimary(latest === undefined ? [each] : [latest, each]);
  return latest;
}

export function removePrimary({ contractId }: WalletContract<PrimaryName>): Command {
  return exercise(PrimaryName, contractId, "PrimaryName_Remove", {});
}
