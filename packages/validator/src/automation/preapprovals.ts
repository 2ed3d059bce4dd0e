/**
 * Preapprovals of transfers that the validator pays for: it accepts what its hosted parties propose, for 90 days, and
 * renews each in its last 30 days by as much.
 */
import {
  addDuration,
  type PartyId,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { StoredContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import type { Automation } from "./automation.ts";
import { stale } from "./stale.ts";

export interface PreapprovalParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly directory: WalletDirectory;
  readonly operatorParty: PartyId;
}

const LIFETIME = 90n * 86_400_000_000n;

export function acceptPreapprovalProposals(parts: PreapprovalParts): Automation {
  const { store, reads, ledger, clock, directory, operatorParty } = parts;
  return {
    name: "accept-preapproval-proposals",
    reactsTo: [TransferPreapprovalProposal, TransferPreapproval],
    listDue: async (_, after) =>
      (await reads.listWantedProposals(operatorParty, after)).map((task) => ({ task, owner: operatorParty })),
    nextDueAt: async () => null,
    perform: async (contractId) => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined) return false;
      await ledger.runOperation(
        wallet,
        async () => {
          const proposal = await store.find(TransferPreapprovalProposal, contractId);
          if (proposal === undefined || !(await isWanted(parts, proposal.owner))) throw stale(contractId);
          const expiresAt = addDuration(clock.now, LIFETIME);
          const value = { preapprovalProposalCid: proposal.contractId, expiresAt };
          return { operation: { tag: "CO_AcceptTransferPreapprovalProposal", value } };
        },
        { asker: "automation" },
      );
      return true;
    },
  };
}

/** A party of ours that has none yet. */
async function isWanted({ store, directory }: PreapprovalParts, receiver: string): Promise<boolean> {
  if ((await directory.findByParty(receiver)) === undefined) return false;
  return (await store.list(TransferPreapproval, { owner: receiver }, 1)).length === 0;
}

export function renewPreapprovals(parts: PreapprovalParts): Automation {
  const { store, reads, ledger, clock, directory, operatorParty } = parts;
  const find = async (contractId: string): Promise<StoredContract<TransferPreapproval> | undefined> => {
    const preapproval = await store.find(TransferPreapproval, contractId);
    if (preapproval === undefined || preapproval.payload.provider !== operatorParty) return undefined;
    return preapproval.payload.expiresAt > clock.now ? preapproval : undefined;
  };
  return {
    name: "renew-preapprovals",
    reactsTo: [TransferPreapproval],
    listDue: async (now, after) =>
      (await reads.listDue([TransferPreapproval], now, after)).map(({ task }) => ({
        task,
        owner: operatorParty,
      })),
    nextDueAt: (now) => reads.nextDueAt([TransferPreapproval], now),
    perform: async (contractId) => {
      const wallet = await directory.findByParty(operatorParty);
      if (wallet === undefined || (await find(contractId)) === undefined) return false;
      await ledger.runOperation(
        wallet,
        async () => {
          const preapproval = await find(contractId);
          if (preapproval === undefined) throw stale(contractId);
          const newExpiresAt = addDuration(preapproval.payload.expiresAt, LIFETIME);
          const value = { previousApprovalCid: preapproval.contractId, newExpiresAt };
          return { operation: { tag: "CO_RenewTransferPreapproval", value } };
        },
        { asker: "automation" },
      );
      return true;
    },
  };
}
