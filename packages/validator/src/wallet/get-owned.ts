/**
 * A contract of the wallet, by its id, and commands on it. The contract of somebody else is refused like one that does
 * not exist, with `contract-not-found`.
 */
import type { Command, Transaction } from "@callsign/api";
import type { AnyTemplateDeclaration, ContractId, PayloadOf } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export interface Sought<T extends AnyTemplateDeclaration> {
  readonly template: T;
  readonly contractId: string;
  /** As a refusal names it. */
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

/** Submits one command on a contract of the wallet. Each attempt looks the contract up. */
export function submitOnOwned<T extends AnyTemplateDeclaration>(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  sought: Sought<T>,
  makeCommand: (contractId: ContractId) => Command,
  submitter: "user" | "operator" = "operator",
): Promise<Transaction> {
  return ledger.submitAs(submitter, wallet.party, async () => {
    const { contractId } = await getOwned(store, wallet, sought);
    return { commands: [makeCommand(contractId)] };
  });
}

export function notFound(what: string, contractId: string): ValidatorError {
  return new ValidatorError({ kind: "contract-not-found", what, contractId });
}
