/** A contract of the wallet, by its id. Throws a `contract-not-found` for a contract of somebody else, too. */
import type { AnyTemplateDeclaration, PayloadOf } from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "./wallet.ts";
import { notFound } from "./wallet-ledger.ts";

export async function getOwned<T extends AnyTemplateDeclaration>(
  store: WalletStore,
  { party }: Wallet,
  sought: { readonly template: T; readonly contractId: string; readonly what: string },
): Promise<WalletContract<PayloadOf<T>>> {
  const found = await store.find(sought.template, sought.contractId);
  if (found === undefined || found.owner !== party) throw notFound(sought.what, sought.contractId);
  return found;
}
