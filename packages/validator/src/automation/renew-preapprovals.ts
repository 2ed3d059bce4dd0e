/** Renews the preapprovals that the validator provides, each in its last 30 days and by 90 days. */
import { addDuration, TransferPreapproval } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import { operateFor } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function renewPreapprovals(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, clock, operatorParty } = parts;
  const find = async (contractId: string) => {
    const preapproval = await store.find(TransferPreapproval, contractId);
    if (preapproval === undefined || preapproval.payload.provider !== operatorParty) return undefined;
    return preapproval.payload.expiresAt > clock.now ? preapproval : undefined;
  };
  return {
    name: "renew-preapprovals",
    concerns: [TransferPreapproval],
    listDue: async (now, after) => {
      const due = await reads.listDue([TransferPreapproval], now, after);
      return due.map(({ task }) => ({ task, owner: operatorParty }));
    },
    nextDueAt: (now) => reads.nextDueAt([TransferPreapproval], now),
    perform: async (contractId) => {
      if ((await find(contractId)) === undefined) return SKIPPED;
      return await operateFor(parts, operatorParty, async () => {
        const preapproval = await find(contractId);
        if (preapproval === undefined) return "stale";
        const newExpiresAt = addDuration(preapproval.payload.expiresAt, PREAPPROVAL_MICROSECONDS);
        const value = { previousApprovalCid: preapproval.contractId, newExpiresAt };
        return { operation: { tag: "CO_RenewTransferPreapproval", value } };
      });
    },
  };
}
