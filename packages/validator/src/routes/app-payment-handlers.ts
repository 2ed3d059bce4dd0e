/** Payments that applications ask the caller for. */
import { AcceptedAppPayment, AppPaymentRequest } from "@callsign/ledger";
import { acceptPaymentRequest, getPaymentRequest, rejectPaymentRequest } from "../wallet/app-payments.ts";
import { listContractsWithState } from "../wallet/list-contracts.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function appPaymentHandlers(running: () => Running) {
  return {
    listAppPaymentRequests: async (_, call) => ({
      payment_requests: await listContractsWithState(running(), AppPaymentRequest, {
        owner: walletOf(call).party,
      }),
    }),
    getAppPaymentRequest: ({ params }, call) =>
      getPaymentRequest(running(), walletOf(call), params.contract_id),
    acceptAppPaymentRequest: async ({ params }, call) => ({
      accepted_payment_contract_id: await acceptPaymentRequest(running(), walletOf(call), params.contract_id),
    }),
    rejectAppPaymentRequest: ({ params }, call) =>
      rejectPaymentRequest(running(), walletOf(call), params.contract_id),
    listAcceptedAppPayments: async (_, call) => ({
      accepted_app_payments: await listContractsWithState(running(), AcceptedAppPayment, {
        owner: walletOf(call).party,
      }),
    }),
  } satisfies Partial<Served>;
}
