/** Payments that applications ask for: read a request, accept it and lock its coin, or reject it. */
import type { ContractWithState } from "@callsign/api";
import { AcceptedAppPayment, AppPaymentRequest, type ContractId, WalletAppInstall } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { wireContractWithState } from "../store/wire-contract.ts";
import { actOnce, type OnceParts } from "./act-once.ts";
import { getOwned } from "./get-owned.ts";
import { payRequest } from "./pay-request.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

const REQUEST = { template: AppPaymentRequest, what: "app payment request" };

export async function getPaymentRequest(
  { store, facts }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractWithState> {
  const request = await getOwned(store, wallet, { ...REQUEST, contractId });
  return wireContractWithState(AppPaymentRequest, request, await facts.synchronizerId());
}

export function acceptPaymentRequest(
  parts: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractId> {
  return payRequest(parts, wallet, {
    ...{ ...REQUEST, contractId, payment: AcceptedAppPayment },
    operationOf: (value) => ({ tag: "CO_AppPayment", value }),
  });
}

export async function rejectPaymentRequest(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "WalletAppInstall_AppPaymentRequest_Reject";
  await actOnce(parts, wallet, {
    ...{ operation: "rejectAppPaymentRequest", ...REQUEST, contractId },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })],
    }),
  });
}
