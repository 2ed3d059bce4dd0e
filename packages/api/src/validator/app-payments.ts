/** Payments that applications ask the caller for: accepting one locks its coin until the application collects it. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { ContractWithState } from "../splice/contract.ts";

const params = z.object({ contract_id: z.string() });
const readErrors = [401, 403, 404, 500, 502] as const;
const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorAppPayments = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listAppPaymentRequests: {
    method: "GET",
    path: "/v0/wallet/app-payment-requests",
    summary: "Requests of applications that wait for the caller's answer",
    success: json(z.object({ payment_requests: z.array(ContractWithState) })),
    errors: readErrors,
  },
  getAppPaymentRequest: {
    method: "GET",
    path: "/v0/wallet/app-payment-requests/{contract_id}",
    summary: "One request of an application",
    params,
    success: json(ContractWithState),
    errors: readErrors,
  },
  acceptAppPaymentRequest: {
    method: "POST",
    path: "/v0/wallet/app-payment-requests/{contract_id}/accept",
    summary: "Accepts a request and locks the coin for it",
    description: "Accepting again, while the application has not collected the payment, gives that payment.",
    params,
    success: json(z.object({ accepted_payment_contract_id: z.string() })),
    errors: actErrors,
  },
  rejectAppPaymentRequest: {
    method: "POST",
    path: "/v0/wallet/app-payment-requests/{contract_id}/reject",
    summary: "Rejects a request of an application",
    params,
    success: empty,
    errors: actErrors,
  },
  listAcceptedAppPayments: {
    method: "GET",
    path: "/v0/wallet/accepted-app-payments",
    summary: "Payments of the caller that the applications have not collected yet",
    success: json(z.object({ accepted_app_payments: z.array(ContractWithState) })),
    errors: readErrors,
  },
});
