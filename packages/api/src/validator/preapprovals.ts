/** The caller's consent to get coin without being asked, and coin sent to parties that have given theirs. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";
import { givenDecimal } from "../wire/texts.ts";

export const CreatedPreapproval = z
  .object({ transfer_preapproval_contract_id: z.string() })
  .meta({ id: "CreateTransferPreapprovalResponse" });
export type CreatedPreapproval = z.output<typeof CreatedPreapproval>;

const TransferPreapprovalSendRequest = z
  .object({
    receiver_party_id: z.string(),
    /** In coin. */
    amount: givenDecimal,
    /** The same request, sent again within a day, pays once. */
    deduplication_id: z.string(),
    description: orNull(z.string()),
  })
  .meta({ id: "TransferPreapprovalSendRequest" });
export type TransferPreapprovalSendRequest = z.output<typeof TransferPreapprovalSendRequest>;

const errors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorPreapprovals = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  createTransferPreapproval: {
    method: "POST",
    path: "/v0/wallet/transfer-preapproval",
    summary: "Lets anybody send coin to the caller; the validator pays for 90 days and renews it",
    description:
      "409 answers the preapproval that the caller has already. 429: the validator has too little coin at present, " +
      "and creates it when there is enough.",
    success: json(CreatedPreapproval),
    errors,
    errorBodies: { 409: CreatedPreapproval },
  },
  transferPreapprovalSend: {
    method: "POST",
    path: "/v0/wallet/transfer-preapproval/send",
    summary: "Sends coin to a party that has a preapproval",
    description:
      "The same request, repeated, pays once and gets the first answer. 400 if the receiver has no preapproval or " +
      "coin is missing, 409 if another transfer had the deduplication id, 429 while the first call is in flight.",
    body: TransferPreapprovalSendRequest,
    success: empty,
    errors,
  },
});
