/** Payments that applications ask for: list the requests, accept one and lock its coin, or reject it. */
import type { ContractWithState } from "@callsign/api";
import { AcceptedAppPayment, AppPaymentRequest, type ContractId, WalletAppInstall } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { wireContractWithState } from "../store/wire-contract.ts";
import { getOwned } from "./get-owned.ts";
import { type PayableKind, payRequest } from "./pay-request.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

const WHAT = "app payment request";

const KIND: PayableKind = {
  request: AppPaymentRequest,
  payment: AcceptedAppPayment,
  what: WHAT,
  operationOf: (value) => ({ tag: "CO_AppPayment", value }),
};

export async function listPaymentRequests(
  { store, facts }: WalletParts,
  { party }: Wallet,
): Promise<ContractWithState[]> {
  const requests = await store.list(AppPaymentRequest, { owner: party });
  const synchronizerId = await facts.synchronizerId();
  return requests.map((request) => wireContractWithState(AppPaymentRequest, request, synchronizerId));
}

export async function getPaymentRequest(
  { store, facts }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractWithState> {
  const request = await getOwned(store, wallet, { template: AppPaymentRequest, contractId, what: WHAT });
  return wireContractWithState(AppPaymentRequest, request, await facts.synchronizerId());
}

export function acceptPaymentRequest(
  parts: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractId> {
  return payRequest(parts, wallet, contractId, KIND);
}

export async function rejectPaymentRequest(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  await ledger.submitAs("operator", wallet.party, async () => {
    const sought = { template: AppPaymentRequest, contractId, what: WHAT };
    const { contractId: cid } = await getOwned(store, wallet, sought);
    const choice = "WalletAppInstall_AppPaymentRequest_Reject";
    return { commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })] };
  });
}

export async function listAcceptedPayments(
  { store, facts }: WalletParts,
  { party }: Wallet,
): Promise<ContractWithState[]> {
  const payments = await store.list(AcceptedAppPayment, { owner: party });
  const synchronizerId = await facts.synchronizerId();
  return payments.map((payment) => wireContractWithState(AcceptedAppPayment, payment, synchronizerId));
}
