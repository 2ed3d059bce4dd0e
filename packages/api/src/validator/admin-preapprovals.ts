/** Transfer preapprovals that the validator provides and pays for. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { ContractWithState } from "../splice/contract.ts";
import { partyParameter } from "../splice/party-parameter.ts";

const byReceiver = {
  path: "/v0/admin/transfer-preapprovals/by-party/{receiver-party}",
  params: z.object({ "receiver-party": partyParameter }),
} as const;

export const validatorAdminPreapprovals = defineEndpoints({
  tags: ["validator"],
  auth: "validator-operator",
})({
  lookupTransferPreapprovalByParty: {
    ...byReceiver,
    method: "GET",
    summary: "The preapproval of a receiver",
    success: json(
      z
        .object({ transfer_preapproval: ContractWithState })
        .meta({ id: "LookupTransferPreapprovalByPartyResponse" }),
    ),
    errors: [400, 401, 403, 404, 503],
  },
  cancelTransferPreapprovalByParty: {
    ...byReceiver,
    method: "DELETE",
    summary: "Cancels the preapproval of a receiver",
    success: empty,
    errors: [400, 401, 403, 404, 409, 429, 500, 503],
  },
  listTransferPreapprovals: {
    method: "GET",
    path: "/v0/admin/transfer-preapprovals",
    summary: "All preapprovals that the validator provides",
    success: json(
      z.object({ contracts: z.array(ContractWithState) }).meta({ id: "ListTransferPreapprovalsResponse" }),
    ),
    errors: [401, 403, 404, 503],
  },
});
