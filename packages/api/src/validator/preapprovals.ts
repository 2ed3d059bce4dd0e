/** The caller's consent to get coin without being asked. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";

export const CreatedPreapproval = z
  .object({ transfer_preapproval_contract_id: z.string() })
  .meta({ id: "CreateTransferPreapprovalResponse" });
export type CreatedPreapproval = z.output<typeof CreatedPreapproval>;

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
});
