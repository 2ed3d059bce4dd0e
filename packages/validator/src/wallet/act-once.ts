/**
 * A call that uses up a contract of the wallet, such as an answer to an offer. It takes effect once: repeated within a day
 * by the same wallet, it gets the first answer, although the contract is gone.
 */
import type { Transaction } from "@callsign/api";
import type { AnyTemplateDeclaration, ContractId } from "@callsign/ledger";
import { getOwned, type Sought } from "./get-owned.ts";
import type { OnceOnly } from "./once-only.ts";
import type { Wallet } from "./wallet.ts";
import type { CommandBatch, WalletParts } from "./wallet-ledger.ts";

export interface OnceParts extends WalletParts {
  readonly once: OnceOnly;
}

export interface OwnedAction<T extends AnyTemplateDeclaration> extends Sought<T> {
  /** The operation's id in the API. */
  readonly operation: string;
  /** The operator if omitted. */
  readonly submitter?: "user" | "operator" | "both";
  /** True for one that must not overtake other changes of the wallet's coin and contracts. */
  readonly isQueued?: boolean;
  /** Made at each attempt. */
  readonly makeBatch: (contractId: ContractId) => CommandBatch | Promise<CommandBatch>;
  /** Of the first effect; an empty answer if omitted. */
  readonly answerOf?: (transaction: Transaction) => string | Promise<string>;
}

export async function actOnce<T extends AnyTemplateDeclaration>(
  { store, ledger, once, treasury }: OnceParts,
  wallet: Wallet,
  action: OwnedAction<T>,
): Promise<string> {
  const { operation, submitter = "operator", makeBatch, answerOf = () => "", what, contractId } = action;
  return await once.run({
    ...{ operation, party: wallet.party, id: contractId, content: null, answerOf },
    what: `The call ${operation} for the ${what}`,
    // A contract that is not the wallet's own is refused before anything is kept.
    check: async () => {
      await getOwned(store, wallet, action);
    },
    submit: (identity) => {
      const attempt = async () => await makeBatch((await getOwned(store, wallet, action)).contractId);
      const submit = () => ledger.submitAs(submitter, wallet.party, attempt, identity);
      return action.isQueued === true ? treasury.run(wallet.party, submit) : submit();
    },
  });
}
