/**
 * A contract of the wallet, by its id. The contract of somebody else is refused like one that does not exist, with
 * `contract-not-found`.
 */
import type { AnyTemplateDeclaration, PayloadOf } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "./wallet.ts";

export interface Sought<T extends AnyTemplateDeclaration> {
  readonly template: T;
  readonly contractId: string;
  /** The contract, as a refusal names it. */
  readonly what: string;
  /** The party whose contract it is; its owner in the store if omitted. */
  readonly partyOf?: (payload: PayloadOf<T>) => string;
}

export async function getOwned<T extends AnyTemplateDeclaration>(
  store: WalletStore,
  { party }: Wallet,
  { template, contractId, what, partyOf }: Sought<T>,
): Promise<WalletContract<PayloadOf<T>>> {
  const found = await store.find(template, contractId);
  if (found === undefined || (partyOf?.(found.payload) ?? found.owner) !== party)
    throw notFound(what, contractId);
  return found;
}

export function notFound(what: string, contractId: string): ValidatorError {
  return new ValidatorError({ kind: "contract-not-found", what, contractId });
}
