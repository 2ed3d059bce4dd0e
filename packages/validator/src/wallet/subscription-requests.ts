/** Requests for a subscription: list them, accept one and make its first payment, or reject it. */
import type { WireContract } from "@callsign/api";
import {
  type ContractId,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  WalletAppInstall,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { wireContract } from "../store/wire-contract.ts";
import { getOwned } from "./get-owned.ts";
import { type PayableKind, payRequest } from "./pay-request.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

const WHAT = "subscription request";

const KIND: PayableKind = {
  request: SubscriptionRequest,
  payment: SubscriptionInitialPayment,
  what: WHAT,
  operationOf: (value) => ({ tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value }),
};

export async function listRequests(store: WalletStore, { party }: Wallet): Promise<WireContract[]> {
  const requests = await store.list(SubscriptionRequest, { owner: party });
  return requests.map((request) => wireContract(SubscriptionRequest, request));
}

export function getRequest(
  store: WalletStore,
  wallet: Wallet,
  contractId: string,
): Promise<WalletContract<SubscriptionRequest>> {
  return getOwned(store, wallet, { template: SubscriptionRequest, contractId, what: WHAT });
}

export async function listInitialPayments(store: WalletStore, { party }: Wallet): Promise<WireContract[]> {
  const payments = await store.list(SubscriptionInitialPayment, { owner: party });
  return payments.map((payment) => wireContract(SubscriptionInitialPayment, payment));
}

export function acceptRequest(parts: WalletParts, wallet: Wallet, contractId: string): Promise<ContractId> {
  return payRequest(parts, wallet, contractId, KIND);
}

export async function rejectRequest(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  await ledger.submitAs("operator", wallet.party, async () => {
    const { contractId: cid } = await getRequest(store, wallet, contractId);
    const choice = "WalletAppInstall_SubscriptionRequest_Reject";
    return { commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })] };
  });
}
