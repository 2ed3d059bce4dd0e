/** Ends offers, requests and delegations of wallets after their time. */
import type { Command } from "@callsign/api";
import {
  AcceptedTransferOffer,
  AppPaymentRequest,
  BuyTrafficRequest,
  type ContractId,
  MintingDelegation,
  MintingDelegationProposal,
  type Time,
  TransferOffer,
  WalletAppInstall,
} from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export interface ExpiryParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly directory: WalletDirectory;
}

const TEMPLATES = [
  TransferOffer,
  AcceptedTransferOffer,
  BuyTrafficRequest,
  AppPaymentRequest,
  MintingDelegation,
  MintingDelegationProposal,
];

interface Expired {
  /** Any of them may end it. */
  readonly parties: readonly string[];
  readonly expiresAt: Time;
  readonly command: (wallet: Wallet) => Command;
  /** True if the install contract has no choice for it: then the user submits. */
  readonly asUser?: boolean;
}

export function expireRequests({ store, reads, ledger, directory }: ExpiryParts): ValidatorAutomation {
  return {
    name: "expire-requests",
    concerns: TEMPLATES,
    listDue: (now, after) => reads.listDue(TEMPLATES, now, after),
    nextDueAt: (now) => reads.nextDueAt(TEMPLATES, now),
    perform: async (contractId) => {
      const expired = await findExpired(store, contractId);
      const wallet = await findWallet(directory, expired?.parties ?? []);
      if (expired === undefined || wallet === undefined) return SKIPPED;
      const expire = async () => {
        const found = await findExpired(store, contractId);
        if (found === undefined) return "stale";
        return { commands: [found.command(wallet)], notBefore: found.expiresAt };
      };
      return await outcomeOf(
        expired.asUser === true
          ? ledger.submitAsUser(wallet, expire)
          : ledger.submitAsValidator(wallet, expire),
      );
    },
  };
}

async function findWallet(
  directory: WalletDirectory,
  parties: readonly string[],
): Promise<Wallet | undefined> {
  for (const party of parties) {
    const wallet = await directory.findByParty(party);
    if (wallet !== undefined) return wallet;
  }
  return undefined;
}

async function findExpired(store: WalletStore, contractId: string): Promise<Expired | undefined> {
  return (
    (await findOffer(store, contractId)) ??
    (await findRequest(store, contractId)) ??
    (await findDelegation(store, contractId))
  );
}

async function findOffer(store: WalletStore, contractId: string): Promise<Expired | undefined> {
  const offer = await store.find(TransferOffer, contractId);
  if (offer !== undefined) {
    const { sender, receiver, expiresAt } = offer.payload;
    const command = byInstall("WalletAppInstall_TransferOffer_Expire", offer.contractId);
    return { parties: [sender, receiver], expiresAt, command };
  }
  const accepted = await store.find(AcceptedTransferOffer, contractId);
  if (accepted === undefined) return undefined;
  const { sender, receiver, expiresAt } = accepted.payload;
  const command = byInstall("WalletAppInstall_AcceptedTransferOffer_Expire", accepted.contractId);
  return { parties: [sender, receiver], expiresAt, command };
}

async function findRequest(store: WalletStore, contractId: string): Promise<Expired | undefined> {
  const traffic = await store.find(BuyTrafficRequest, contractId);
  if (traffic !== undefined) {
    const { endUserParty, expiresAt } = traffic.payload;
    const choice = "WalletAppInstall_BuyTrafficRequest_Expire";
    const command = ({ install }: Wallet) =>
      exercise(WalletAppInstall, install, choice, { requestCid: traffic.contractId });
    return { parties: [endUserParty], expiresAt, command };
  }
  const payment = await store.find(AppPaymentRequest, contractId);
  if (payment === undefined) return undefined;
  const { sender, expiresAt } = payment.payload;
  const command = byInstall("WalletAppInstall_AppPaymentRequest_Expire", payment.contractId);
  return { parties: [sender], expiresAt, command };
}

/** The delegate gives it back. */
async function findDelegation(store: WalletStore, contractId: string): Promise<Expired | undefined> {
  const delegation = await store.find(MintingDelegation, contractId);
  if (delegation !== undefined) {
    const { delegate, expiresAt } = delegation.payload;
    const command = () => exercise(MintingDelegation, delegation.contractId, "MintingDelegation_Reject", {});
    return { parties: [delegate], expiresAt, command, asUser: true };
  }
  const proposal = await store.find(MintingDelegationProposal, contractId);
  if (proposal === undefined) return undefined;
  const { delegate, expiresAt } = proposal.payload.delegation;
  const command = () =>
    exercise(MintingDelegationProposal, proposal.contractId, "MintingDelegationProposal_Reject", {});
  return { parties: [delegate], expiresAt, command, asUser: true };
}

type ByContract =
  | "WalletAppInstall_TransferOffer_Expire"
  | "WalletAppInstall_AcceptedTransferOffer_Expire"
  | "WalletAppInstall_AppPaymentRequest_Expire";

function byInstall(choice: ByContract, cid: ContractId): (wallet: Wallet) => Command {
  return ({ install }) => exercise(WalletAppInstall, install, choice, { cid });
}
