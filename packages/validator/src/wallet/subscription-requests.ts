/** Requests for a subscription: read one, accept it and make its first payment, or reject it. */
import type { WireContract } from "@callsign/api";
import {
  type ContractId,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  WalletAppInstall,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { wireContract } from "../store/wire-contract.ts";
import { actOnce, type OnceParts } from "./act-once.ts";
import { getOwned } from "./get-owned.ts";
import { payRequest } from "./pay-request.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

const REQUEST = { template: SubscriptionRequest, what: "subscription request" };

export async function getRequest(
  store: WalletStore,
  wallet: Wallet,
  contractId: string,
): Promise<WireContract> {
  return wireContract(SubscriptionRequest, await getOwned(store, wallet, { ...REQUEST, contractId }));
}

export function acceptRequest(parts: WalletParts, wallet: Wallet, contractId: string): Promise<ContractId> {
  return payRequest(parts, wallet, {
    ...{ ...REQUEST, contractId, payment: SubscriptionInitialPayment },
    operationOf: (value) => ({ tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value }),
  });
}

export async function rejectRequest(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "WalletAppInstall_SubscriptionRequest_Reject";
  await actOnce(parts, wallet, {
    ...{ operation: "rejectSubscriptionRequest", ...REQUEST, contractId },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })],
    }),
  });
}
