/**
 * Transfers of coin by the token standard. A receiver with a preapproval gets the coin at once; to anybody else it is
 * offered: locked until the receiver accepts or rejects, or the sender withdraws it.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { mapOf } from "../wire/map-of.ts";
import { int64 } from "../wire/numbers.ts";
import { givenDecimal } from "../wire/texts.ts";

const CreateTokenTransferRequest = z
  .object({
    receiver_party_id: z.string(),
    /** In coin. */
    amount: givenDecimal,
    description: z.string(),
    /** Microseconds since 1970: the receiver accepts before this time. */
    expires_at: int64,
    /** The same request, sent again within a day, pays once. */
    tracking_id: z.string(),
  })
  .meta({ id: "CreateTokenStandardTransferRequest" });
export type CreateTokenTransferRequest = z.output<typeof CreateTokenTransferRequest>;

const TokenTransferResult = z
  .object({
    /** An offer that waits for the receiver, or the receiver's new coins; empty if no coin changed hands. */
    output: z
      .union([
        z.object({ transfer_instruction_cid: z.string() }),
        z.object({ receiver_holding_cids: z.array(z.string()) }),
        z.object({}),
      ])
      .meta({ id: "TransferInstructionResultOutput" }),
    sender_change_cids: z.array(z.string()),
    meta: mapOf(z.string()),
  })
  .meta({ id: "TransferInstructionResultResponse" });
export type TokenTransferResult = z.output<typeof TokenTransferResult>;

const params = z.object({ contract_id: z.string() });
const errors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorTokenTransfers = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  createTokenStandardTransfer: {
    method: "POST",
    path: "/v0/wallet/token-standard/transfers",
    summary: "Sends coin by the token standard: at once, or for the receiver to accept",
    description:
      "The same request, repeated, pays once and gets the first answer. 400 if coin is missing, 409 if another transfer " +
      "had the tracking id, 429 while the first call is in flight.",
    body: CreateTokenTransferRequest,
    success: json(TokenTransferResult),
    errors,
  },
  listTokenStandardTransfers: {
    method: "GET",
    path: "/v0/wallet/token-standard/transfers",
    summary: "Transfers from and to the caller that wait for the receiver",
    success: json(z.object({ transfers: z.array(Contract) })),
    errors: [401, 403, 404, 500],
  },
  acceptTokenStandardTransfer: {
    method: "POST",
    path: "/v0/wallet/token-standard/transfers/{contract_id}/accept",
    summary: "Accepts a transfer to the caller",
    params,
    success: json(TokenTransferResult),
    errors,
  },
  rejectTokenStandardTransfer: {
    method: "POST",
    path: "/v0/wallet/token-standard/transfers/{contract_id}/reject",
    summary: "Rejects a transfer to the caller; its coin goes back to the sender",
    params,
    success: json(TokenTransferResult),
    errors,
  },
  withdrawTokenStandardTransfer: {
    method: "POST",
    path: "/v0/wallet/token-standard/transfers/{contract_id}/withdraw",
    summary: "Takes back the coin of a transfer that the receiver has not answered",
    params,
    success: json(TokenTransferResult),
    errors,
  },
});
