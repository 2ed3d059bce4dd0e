/** Accepts the preapproval proposals of hosted parties; the validator pays for 90 days. */
import { TransferPreapproval, TransferPreapprovalProposal } from "@callsign/ledger";
import { acceptProposal } from "../wallet/preapprovals.ts";
import { operateFor } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function acceptPreapprovalProposals(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, directory, operatorParty } = parts;
  return {
    name: "accept-preapproval-proposals",
    concerns: [TransferPreapprovalProposal, TransferPreapproval],
    listDue: async (_, after) =>
      (await reads.listWantedProposals(operatorParty, after)).map((task) => ({ task, owner: operatorParty })),
    perform: (contractId) =>
      operateFor(parts, operatorParty, async () => {
        const proposal = await store.find(TransferPreapprovalProposal, contractId);
        const wallet = proposal && (await directory.findByParty(proposal.owner));
        return wallet === undefined ? "stale" : await acceptProposal(parts, contractId)();
      }),
  };
}
