/**
 * Running subscriptions. Splice lists them; switching automatic renewal and paying by hand are ours, and stand
 * under `/ext/v1`. There a subscription is named by the id of its `Subscription` contract, which stays the same
 * from one payment to the next.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { oneOf } from "../wire/one-of.ts";

export const SubscriptionListItem = z
  .object({
    subscription: Contract,
    /** Between payments, or with one on its way. */
    state: oneOf({ idle: Contract, payment: Contract }),
    /** Ours. Where a server does not know the switch, renewal is on. */
    auto_renewal: z.boolean().default(true),
  })
  .meta({ id: "Subscription" });
export type SubscriptionListItem = z.output<typeof SubscriptionListItem>;

const AutoRenewal = z.object({ enabled: z.boolean() }).meta({ id: "AutoRenewal" });
const params = z.object({ subscription_id: z.string() });
const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorSubscriptions = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  listSubscriptions: {
    method: "GET",
    path: "/v0/wallet/subscriptions",
    summary: "The caller's subscriptions, without those past their due date",
    success: json(z.object({ subscriptions: z.array(SubscriptionListItem) })),
    errors: [401, 403, 404, 500],
  },
  setAutoRenewal: {
    method: "POST",
    path: "/ext/v1/wallet/subscriptions/{subscription_id}/auto-renewal",
    summary: "Switches automatic renewal of a subscription on or off",
    params,
    body: AutoRenewal,
    success: json(AutoRenewal),
    errors: actErrors,
  },
  paySubscription: {
    method: "POST",
    path: "/ext/v1/wallet/subscriptions/{subscription_id}/pay",
    summary: "Pays a renewal that is due, by hand",
    params,
    success: json(z.object({ payment_contract_id: z.string() })),
    errors: actErrors,
  },
});
