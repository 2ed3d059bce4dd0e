/** The caller's subscriptions, and requests for them. */
import { SubscriptionInitialPayment, SubscriptionRequest } from "@callsign/ledger";
import { listContracts } from "../wallet/list-contracts.ts";
import { acceptRequest, getRequest, rejectRequest } from "../wallet/subscription-requests.ts";
import {
  cancelSubscription,
  listSubscriptions,
  paySubscription,
  setAutoRenewal,
} from "../wallet/subscriptions.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function subscriptionHandlers(running: () => Running) {
  return {
    listSubscriptionRequests: async (_, call) => ({
      subscription_requests: await listContracts(running().store, SubscriptionRequest, {
        owner: walletOf(call).party,
      }),
    }),
    getSubscriptionRequest: ({ params }, call) =>
      getRequest(running().store, walletOf(call), params.contract_id),
    acceptSubscriptionRequest: async ({ params }, call) => ({
      initial_payment_contract_id: await acceptRequest(running(), walletOf(call), params.contract_id),
    }),
    rejectSubscriptionRequest: ({ params }, call) =>
      rejectRequest(running(), walletOf(call), params.contract_id),
    listSubscriptionInitialPayments: async (_, call) => ({
      initial_payments: await listContracts(running().store, SubscriptionInitialPayment, {
        owner: walletOf(call).party,
      }),
    }),
    cancelSubscriptionRequest: ({ params }, call) =>
      cancelSubscription(running(), walletOf(call), params.contract_id),
    listSubscriptions: async (_, call) => ({
      subscriptions: await listSubscriptions(running(), walletOf(call)),
    }),
    setAutoRenewal: async ({ params, body: { enabled } }, call) => {
      const given = { subscriptionId: params.subscription_id, autoRenew: enabled };
      await setAutoRenewal(running(), walletOf(call), given);
      return { enabled };
    },
    paySubscription: async ({ params }, call) => ({
      payment_contract_id: await paySubscription(running(), walletOf(call), params.subscription_id),
    }),
  } satisfies Partial<Served>;
}
