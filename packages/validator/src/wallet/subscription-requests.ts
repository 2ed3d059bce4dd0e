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
import type { Wallet } from "./wallet.ts";
import { getCreated, notFound, type WalletParts } from "./wallet-ledger.ts";

export async function listRequests(store: WalletStore, { party }: Wallet): Promise<WireContract[]> {
  const requests = await store.list(SubscriptionRequest, { owner: party });
  return requests.map((request) => wireContract(SubscriptionRequest, request));
}

export async function getRequest(
  store: WalletStore,
  { party }: Wallet,
  contractId: string,
): Promise<WalletContract<SubscriptionRequest>> {
  const request = await store.find(SubscriptionRequest, contractId);
  if (request === undefined || request.owner !== party) throw notFound("subscription request", contractId);
  return request;
}

/** Accepting again, while the first payment is pending, gives that payment. */
export async function acceptRequest(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  contractId: string,
): Promise<ContractId> {
  const findPayment = async () =>
    (await store.list(SubscriptionInitialPayment, { owner: wallet.party, link: contractId }))[0];
  const made = await findPayment();
  if (made !== undefined) return made.contractId;
  await getRequest(store, wallet, contractId);
  try {
    const transaction = await ledger.runOperation(wallet, async () => {
      const request = await getRequest(store, wallet, contractId);
      return { operation: { tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value: request.contractId } };
    });
    return getCreated(transaction, SubscriptionInitialPayment);
  } catch (error) {
    // Of two concurrent calls, the second finds the payment of the first.
    const other = await findPayment();
    if (other !== undefined) return other.contractId;
    throw error;
  }
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
