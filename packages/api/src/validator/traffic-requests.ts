/** Requests to buy traffic, which the caller's wallet pays for by itself. The caller chooses a tracking id. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

const CreateBuyTrafficRequest = z
  .object({
    /** A party on the participant that gets the traffic. */
    receiving_validator_party_id: z.string(),
    /** The synchronizer. */
    domain_id: z.string(),
    /** Bytes. */
    traffic_amount: int64,
    tracking_id: z.string(),
    /** Microseconds since 1970. */
    expires_at: int64,
  })
  .meta({ id: "CreateBuyTrafficRequest" });
export type CreateBuyTrafficRequest = z.output<typeof CreateBuyTrafficRequest>;

export const BuyTrafficStatus = z
  .union([
    z.object({
      status: z.enum(["failed"]),
      failure_reason: z.enum(["expired", "rejected"]),
      rejection_reason: orNull(z.string()),
    }),
    z.object({ status: z.enum(["completed"]), transaction_id: z.string() }),
    z.object({ status: z.enum(["created"]) }),
  ])
  .meta({ id: "GetBuyTrafficRequestStatusResponse" });
export type BuyTrafficStatus = z.output<typeof BuyTrafficStatus>;

export const validatorTrafficRequests = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  createBuyTrafficRequest: {
    method: "POST",
    path: "/v0/wallet/buy-traffic-requests",
    summary: "Asks the caller's wallet to buy traffic for a participant",
    description:
      "The same request, repeated, gets the first answer. 400 says at once how much coin is missing; 409 if another " +
      "request has the tracking id, 429 while the first call is in flight.",
    body: CreateBuyTrafficRequest,
    success: json(z.object({ request_contract_id: z.string() })),
    errors: [400, 401, 403, 404, 409, 429, 500, 502, 503],
  },
  getBuyTrafficRequestStatus: {
    method: "POST",
    path: "/v0/wallet/buy-traffic-requests/{tracking_id}/status",
    summary: "The status of a request of the caller's",
    params: z.object({ tracking_id: z.string() }),
    success: json(BuyTrafficStatus),
    errors: [401, 403, 404, 500],
  },
});
