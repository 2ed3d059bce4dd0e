/** Ends offers, requests and delegations of wallets after their time. */
import type { Command } from "@callsign/api";
import {
  AcceptedTransferOffer,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  BuyTrafficRequest,
  type ContractId,
  MintingDelegation,
  MintingDelegationProposal,
  type PayloadOf,
  type Time,
  TransferOffer,
  WalletAppInstall,
} from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

interface Terms {
  /** The parties that may end the contract: any of them. */
  readonly parties: readonly string[];
  readonly expiresAt: Time;
}

interface Expiry {
  readonly template: AnyTemplateDeclaration;
  readonly termsOf: (payload: never) => Terms;
  readonly command: (contractId: ContractId, wallet: Wallet) => Command;
  /** The user submits where the install contract has no choice for it. */
  readonly submitter: "user" | "operator";
}

function expiry<T extends AnyTemplateDeclaration>(
  template: T,
  termsOf: (payload: PayloadOf<T>) => Terms,
  command: Expiry["command"],
  submitter: Expiry["submitter"] = "operator",
): Expiry {
  return { template, termsOf, command, submitter };
}

const EXPIRIES: readonly Expiry[] = [
  expiry(
    TransferOffer,
    ({ sender, receiver, expiresAt }) => ({ parties: [sender, receiver], expiresAt }),
    byInstall("WalletAppInstall_TransferOffer_Expire"),
  ),
  expiry(
    AcceptedTransferOffer,
    ({ sender, receiver, expiresAt }) => ({ parties: [sender, receiver], expiresAt }),
    byInstall("WalletAppInstall_AcceptedTransferOffer_Expire"),
  ),
  expiry(
    BuyTrafficRequest,
    ({ endUserParty, expiresAt }) => ({ parties: [endUserParty], expiresAt }),
    (requestCid, { install }) =>
      exercise(WalletAppInstall, install, "WalletAppInstall_BuyTrafficRequest_Expire", { requestCid }),
  ),
  expiry(
    AppPaymentRequest,
    ({ sender, expiresAt }) => ({ parties: [sender], expiresAt }),
    byInstall("WalletAppInstall_AppPaymentRequest_Expire"),
  ),
  // The delegate rejects the delegation.
  expiry(
    MintingDelegation,
    ({ delegate, expiresAt }) => ({ parties: [delegate], expiresAt }),
    (cid) => exercise(MintingDelegation, cid, "MintingDelegation_Reject", {}),
    "user",
  ),
  expiry(
    MintingDelegationProposal,
    ({ delegation: { delegate, expiresAt } }) => ({ parties: [delegate], expiresAt }),
    (cid) => exercise(MintingDelegationProposal, cid, "MintingDelegationProposal_Reject", {}),
    "user",
  ),
];

const TEMPLATES = EXPIRIES.map(({ template }) => template);

export function expireRequests({ store, reads, ledger, directory }: AutomationParts): ValidatorAutomation {
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
        return { commands: [found.command(found.contractId, wallet)], notBefore: found.expiresAt };
      };
      return await outcomeOf(ledger.submitAs(expired.submitter, wallet.party, expire));
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

async function findExpired(store: WalletStore, contractId: string) {
  for (const each of EXPIRIES) {
    const found = await store.find(each.template, contractId);
    if (found === undefined) continue;
    return { ...each, ...each.termsOf(found.payload as never), contractId: found.contractId };
  }
  return undefined;
}

type ByContract =
  | "WalletAppInstall_TransferOffer_Expire"
  | "WalletAppInstall_AcceptedTransferOffer_Expire"
  | "WalletAppInstall_AppPaymentRequest_Expire";

function byInstall(choice: ByContract): Expiry["command"] {
  return (cid, { install }) => exercise(WalletAppInstall, install, choice, { cid });
}
