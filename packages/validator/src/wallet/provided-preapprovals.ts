/** Transfer preapprovals that the validator provides: looked up and cancelled by its operator. */
import type { ContractWithState } from "@callsign/api";
import { TransferPreapproval } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { exercise } from "../ledger/commands.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { wireContractWithState } from "../store/wire-contract.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export async function lookUpPreapproval(parts: WalletParts, receiver: string): Promise<ContractWithState> {
  const preapproval = await getPreapproval(parts, receiver);
  return wireContractWithState(TransferPreapproval, preapproval, await parts.facts.synchronizerId());
}

/** A repeated call finds no preapproval, as in Splice (decision 0052). */
export async function cancelPreapproval(parts: WalletParts, receiver: string): Promise<undefined> {
  const { ledger, operatorParty } = parts;
  await ledger.submitAs("operator", operatorParty, async () => {
    const { contractId } = await getPreapproval(parts, receiver);
    const argument = { p: operatorParty };
    return { commands: [exercise(TransferPreapproval, contractId, "TransferPreapproval_Cancel", argument)] };
  });
}

async function getPreapproval(
  { store, operatorParty }: WalletParts,
  receiver: string,
): Promise<WalletContract<TransferPreapproval>> {
  const [found] = await store.list(TransferPreapproval, { owner: receiver, link: operatorParty }, 1);
  if (found === undefined) throw new ValidatorError({ kind: "preapproval-not-found", receiver });
  return found;
}
