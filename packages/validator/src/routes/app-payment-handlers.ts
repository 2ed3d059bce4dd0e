/** Payments that applications ask the caller for. */
import {
  acceptPaymentRequest,
  getPaymentRequest,
  listAcceptedPayments,
  listPaymentRequests,
  rejectPaymentRequest,
} from "../wallet/app-payments.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function appPaymentHandlers(running: () => Running) {
  return {
    listAppPaymentRequests: async (_, call) => ({
      payment_requests: await listPaymentRequests(running(), walletOf(call)),
    }),
    getAppPaymentRequest: ({ params }, call) =>
      getPaymentRequest(running(), walletOf(call), params.contract_id),
    acceptAppPaymentRequest: async ({ params }, call) => ({
      accepted_payment_contract_id: await acceptPaymentRequest(running(), walletOf(call), params.contract_id),
    }),
    rejectAppPaymentRequest: ({ params }, call) =>
      rejectPaymentRequest(running(), walletOf(call), params.contract_id),
    listAcceptedAppPayments: async (_, call) => ({
      accepted_app_payments: await listAcceptedPayments(running(), walletOf(call)),
    }),
  } satisfies Partial<Served>;
}
