/** A live entry of the wallet's party. */
import { AnsEntry, isRenewalCollectable } from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

/** The entry that lookups find, as the copy has it. */
export async function findHeldEntry(
  { store, clock, facts }: WalletParts,
  { party }: Wallet,
  name: string,
): Promise<WalletContract<AnsEntry> | undefined> {
  await facts.refreshTime();
  const entries = await store.list(AnsEntry, { owner: party, entry: name });
  return entries.findLast(({ payload: { expiresAt } }) =>
    isRenewalCollectable({ expiresAt, now: clock.now }),
  );
}
