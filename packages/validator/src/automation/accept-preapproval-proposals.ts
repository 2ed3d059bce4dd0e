/** Accepts the preapproval proposals of hosted parties; the validator pays for 90 days. */
import { addDuration, TransferPreapproval, TransferPreapprovalProposal } from "@callsign/ledger";
import { PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import { operateFor } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function acceptPreapprovalProposals(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, clock, operatorParty } = parts;
  return {
    name: "accept-preapproval-proposals",
    concerns: [TransferPreapprovalProposal, TransferPreapproval],
    listDue: async (_, after) =>
      (await reads.listWantedProposals(operatorParty, after)).map((task) => ({ task, owner: operatorParty })),
    perform: (contractId) =>
      operateFor(parts, operatorParty, async () => {
        const proposal = await store.find(TransferPreapprovalProposal, contractId);
        if (proposal === undefined || !(await isWanted(parts, proposal.owner))) return "stale";
        const expiresAt = addDuration(clock.now, PREAPPROVAL_MICROSECONDS);
        const value = { preapprovalProposalCid: proposal.contractId, expiresAt };
        return { operation: { tag: "CO_AcceptTransferPreapprovalProposal", value } };
      }),
  };
}

/** True for a hosted party without a preapproval. */
async function isWanted({ store, directory }: AutomationParts, receiver: string): Promise<boolean> {
  if ((await directory.findByParty(receiver)) === undefined) return false;
  return (await store.list(TransferPreapproval, { owner: receiver }, 1)).length === 0;
}
