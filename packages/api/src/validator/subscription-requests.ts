/** Requests for a subscription, such as the one that a name begins with: the caller accepts or rejects. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";

const params = z.object({ contract_id: z.string() });
const readErrors = [401, 403, 404, 500] as const;
const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorSubscriptionRequests = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listSubscriptionRequests: {
    method: "GET",
    path: "/v0/wallet/subscription-requests",
    summary: "Requests that wait for the caller's answer",
    success: json(z.object({ subscription_requests: z.array(Contract) })),
    errors: readErrors,
  },
  getSubscriptionRequest: {
    method: "GET",
    path: "/v0/wallet/subscription-requests/{contract_id}",
    summary: "One request",
    params,
    success: json(Contract),
    errors: readErrors,
  },
  acceptSubscriptionRequest: {
    method: "POST",
    path: "/v0/wallet/subscription-requests/{contract_id}/accept",
    summary: "Accepts a request and makes its first payment",
    params,
    success: json(z.object({ initial_payment_contract_id: z.string() })),
    errors: actErrors,
  },
  rejectSubscriptionRequest: {
    method: "POST",
    path: "/v0/wallet/subscription-requests/{contract_id}/reject",
    summary: "Rejects a request",
    params,
    success: empty,
    errors: actErrors,
  },
  listSubscriptionInitialPayments: {
    method: "GET",
    path: "/v0/wallet/subscription-initial-payments",
    summary: "First payments of the caller that have not been collected yet",
    success: json(z.object({ initial_payments: z.array(Contract) })),
    errors: readErrors,
  },
  cancelSubscriptionRequest: {
    method: "DELETE",
    path: "/v0/wallet/subscription-requests/{contract_id}",
    summary: "Cancels a running subscription",
    description:
      "The contract id is that of the subscription's idle state, whatever the path says. A call that is repeated within a day, " +
      "as after a lost answer, gets the same answer.",
    params,
    success: empty,
    errors: actErrors,
  },
});
