/** The part that automations share whose task is to pay for a wallet's open request. */
import type { AmuletOperation, AnyTemplateDeclaration, ContractId } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export interface CompletionParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly directory: WalletDirectory;
}

/** The owner pays. Expired requests are left to `expire-requests`. */
export function completeRequest(
  { store, reads, ledger, directory }: CompletionParts,
  template: AnyTemplateDeclaration,
  toOperation: (contractId: ContractId) => AmuletOperation,
): Omit<ValidatorAutomation, "name"> {
  return {
    concerns: [template],
    listDue: (now, after) => reads.listOpen([template], now, after),
    nextDueAt: async () => null,
    perform: async (contractId) => {
      const request = await store.find(template, contractId);
      const wallet = request === undefined ? undefined : await directory.findByParty(request.owner);
      if (wallet === undefined) return SKIPPED;
      const complete = async () => {
        const found = await store.find(template, contractId);
        return found === undefined ? "stale" : { operation: toOperation(found.contractId) };
      };
      return await outcomeOf(ledger.runOperation(wallet, complete, { asker: "automation" }));
    },
  };
}
