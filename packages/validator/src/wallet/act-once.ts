/**
 * A call that uses up a contract of the wallet, such as an answer to an offer. It takes effect once: repeated within a day
 * by the same wallet, it gets the first answer, although the contract is gone.
 */
import type { Transaction } from "@callsign/api";
import type { AnyTemplateDeclaration, ContractId, PayloadOf } from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import { getOwned, type Sought } from "./get-owned.ts";
import type { OnceOnly } from "./once-only.ts";
import type { Wallet } from "./wallet.ts";
import type { CommandBatch, WalletParts } from "./wallet-ledger.ts";

export interface OnceParts extends WalletParts {
  readonly once: OnceOnly;
}

export interface OnceAction<C> {
  /** The operation's id in the API. */
  readonly operation: string;
  readonly contractId: string;
  /** The contract, as a refusal names it. */
  readonly what: string;
  /** The party that submits; the operator if omitted. */
  readonly submitter?: "user" | "operator" | "both";
  /** True for an action that must not overtake other changes of the wallet's coin and contracts. */
  readonly isQueued?: boolean;
  /** Makes the commands of an attempt. */
  readonly makeBatch: (contract: C) => CommandBatch | Promise<CommandBatch>;
  /** The answer that the first effect gives; an empty one if omitted. */
  readonly answerOf?: (transaction: Transaction) => string | Promise<string>;
}

type OwnedAction<T extends AnyTemplateDeclaration> = Sought<T> & OnceAction<WalletContract<PayloadOf<T>>>;

/** Acts on a contract that the copy of the ledger has. */
export function actOnce<T extends AnyTemplateDeclaration>(
  parts: OnceParts,
  wallet: Wallet,
  action: OwnedAction<T>,
): Promise<string> {
  return actOnceOn(parts, wallet, action, () => getOwned(parts.store, wallet, action));
}

/** `getContract` throws unless the wallet may act on the contract. */
export async function actOnceOn<C extends { readonly contractId: ContractId }>(
  { ledger, once, treasury }: OnceParts,
  { party }: Wallet,
  action: OnceAction<C>,
  getContract: () => Promise<C>,
): Promise<string> {
  const { operation, contractId, what, submitter = "operator", makeBatch, answerOf = () => "" } = action;
  return await once.run({
    ...{ operation, party, id: contractId, content: null, answerOf },
    what: `The call ${operation} for the ${what}`,
    // A contract that is not the wallet's own is refused before anything is kept.
    check: async () => {
      await getContract();
    },
    submit: (identity) => {
      const attempt = async () => await makeBatch(await getContract());
      const submit = () => ledger.submitAs(submitter, party, attempt, identity);
      return action.isQueued === true ? treasury.run(party, submit) : submit();
    },
  });
}
