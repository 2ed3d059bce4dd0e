/**
 * Transfer offers: coin that one wallet offers to another. The receiver accepts, then the sender's wallet pays by
 * itself. The sender chooses a tracking id, by which the offer's status is found also after its end.
 */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { givenDecimal } from "../wire/texts.ts";

const CreateTransferOfferRequest = z
  .object({
    receiver_party_id: z.string(),
    /** In coin. */
    amount: givenDecimal,
    description: z.string(),
    /** Microseconds since 1970. */
    expires_at: int64,
    tracking_id: z.string(),
  })
  .meta({ id: "CreateTransferOfferRequest" });
export type CreateTransferOfferRequest = z.output<typeof CreateTransferOfferRequest>;

export const TransferOfferStatus = z
  .union([
    z.object({
      status: z.enum(["failed"]),
      failure_kind: z.enum(["expired", "rejected", "withdrawn"]),
      withdrawn_reason: orNull(z.string()),
    }),
    z.object({
      status: z.enum(["created", "accepted", "completed"]),
      /** The update that gave it this status. */
      transaction_id: z.string(),
      /** The contract that the update created or used up. */
      contract_id: z.string(),
    }),
  ])
  .meta({ id: "GetTransferOfferStatusResponse" });
export type TransferOfferStatus = z.output<typeof TransferOfferStatus>;

const params = z.object({ contract_id: z.string() });
const readErrors = [401, 403, 404, 500] as const;
const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorTransferOffers = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  createTransferOffer: {
    method: "POST",
    path: "/v0/wallet/transfer-offers",
    summary: "Offers coin to another party",
    description:
      "The same request, repeated, gets the first answer. 409 if another offer has the tracking id, 429 while the " +
      "first call is in flight.",
    deprecated: true,
    body: CreateTransferOfferRequest,
    success: json(z.object({ offer_contract_id: z.string() })),
    errors: actErrors,
  },
  listTransferOffers: {
    method: "GET",
    path: "/v0/wallet/transfer-offers",
    summary: "Open offers from and to the caller",
    deprecated: true,
    success: json(z.object({ offers: z.array(Contract) })),
    errors: readErrors,
  },
  getTransferOfferStatus: {
    method: "POST",
    path: "/v0/wallet/transfer-offers/{tracking_id}/status",
    summary: "The status of an offer that the caller made",
    deprecated: true,
    params: z.object({ tracking_id: z.string() }),
    success: json(TransferOfferStatus),
    errors: readErrors,
  },
  acceptTransferOffer: {
    method: "POST",
    path: "/v0/wallet/transfer-offers/{contract_id}/accept",
    summary: "Accepts an offer to the caller; the sender's wallet then pays",
    params,
    success: json(z.object({ accepted_offer_contract_id: z.string() })),
    errors: actErrors,
  },
  rejectTransferOffer: {
    method: "POST",
    path: "/v0/wallet/transfer-offers/{contract_id}/reject",
    summary: "Rejects an offer to the caller",
    params,
    success: empty,
    errors: actErrors,
  },
  withdrawTransferOffer: {
    method: "POST",
    path: "/v0/wallet/transfer-offers/{contract_id}/withdraw",
    summary: "Withdraws an offer of the caller's own that nobody has accepted",
    params,
    success: empty,
    errors: actErrors,
  },
  listAcceptedTransferOffers: {
    method: "GET",
    path: "/v0/wallet/accepted-transfer-offers",
    summary: "Accepted offers from and to the caller that are not paid yet",
    success: json(z.object({ accepted_offers: z.array(Contract) })),
    errors: readErrors,
  },
});
