/** Renews the preapprovals that the validator provides, each in its last 30 days and by 90 days. */
import { addDuration, TransferPreapproval } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { PreapprovalParts } from "./accept-preapproval-proposals.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export function renewPreapprovals(parts: PreapprovalParts): ValidatorAutomation {
  const { store, reads, ledger, clock, directory, operatorParty } = parts;
  const find = async (contractId: string): Promise<WalletContract<TransferPreapproval> | undefined> => {
    const preapproval = await store.find(TransferPreapproval, contractId);
    if (preapproval === undefined || preapproval.payload.provider !== operatorParty) return undefined;
    return preapproval.payload.expiresAt > clock.now ? preapproval : undefined;
  };
  return {
    name: "renew-preapprovals",
    concerns: [TransferPreapproval],
    listDue: async (now, after) =>
      (await reads.listDue([TransferPreapproval], now, after)).map(({ task }) => ({
        task,
        owner: operatorParty,
      })),
    nextDueAt: (now) => reads.nextDueAt([TransferPreapproval], now),
    perform: async (contractId) => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined || (await find(contractId)) === undefined) return SKIPPED;
      const renew = async () => {
        const preapproval = await find(contractId);
        if (preapproval === undefined) return "stale";
        const newExpiresAt = addDuration(preapproval.payload.expiresAt, PREAPPROVAL_MICROSECONDS);
        const value = { previousApprovalCid: preapproval.contractId, newExpiresAt };
        return { operation: { tag: "CO_RenewTransferPreapproval", value } as const };
      };
      return await outcomeOf(ledger.runOperation(wallet, renew, { asker: "automation" }));
    },
  };
}
