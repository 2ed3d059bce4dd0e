/** Accepts the preapproval proposals of hosted parties; the validator pays for 90 days. */
import {
  addDuration,
  type PartyId,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { PREAPPROVAL_MICROSECONDS } from "../limits/limits.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export interface PreapprovalParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly directory: WalletDirectory;
  readonly operatorParty: PartyId;
}

export function acceptPreapprovalProposals(parts: PreapprovalParts): ValidatorAutomation {
  const { store, reads, ledger, clock, directory, operatorParty } = parts;
  return {
    name: "accept-preapproval-proposals",
    concerns: [TransferPreapprovalProposal, TransferPreapproval],
    listDue: async (_, after) =>
      (await reads.listWantedProposals(operatorParty, after)).map((task) => ({ task, owner: operatorParty })),
    nextDueAt: async () => null,
    perform: async (contractId) => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined) return SKIPPED;
      const accept = async () => {
        const proposal = await store.find(TransferPreapprovalProposal, contractId);
        if (proposal === undefined || !(await isWanted(parts, proposal.owner))) return "stale";
        const expiresAt = addDuration(clock.now, PREAPPROVAL_MICROSECONDS);
        const value = { preapprovalProposalCid: proposal.contractId, expiresAt };
        return { operation: { tag: "CO_AcceptTransferPreapprovalProposal", value } as const };
      };
      return await outcomeOf(ledger.runOperation(wallet, accept, { asker: "automation" }));
    },
  };
}

/** True for a hosted party without a preapproval. */
async function isWanted({ store, directory }: PreapprovalParts, receiver: string): Promise<boolean> {
  if ((await directory.findByParty(receiver)) === undefined) return false;
  return (await store.list(TransferPreapproval, { owner: receiver }, 1)).length === 0;
}
