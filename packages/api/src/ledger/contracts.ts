/** One contract, whether it is active or not. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { CreatedEvent } from "./events.ts";
import { string, strings } from "./proto.ts";

const GetContractRequest = z
  .object({
    contractId: string,
    /** One of them has to be a stakeholder; without any, everybody's contracts are looked up. */
    queryingParties: strings,
  })
  .meta({ id: "GetContractRequest", required: ["contractId"] });

export const ledgerContracts = defineEndpoints({ tags: ["state"] })({
  getContract: {
    method: "POST",
    path: "/v2/contracts/contract-by-id",
    summary: "The contract of an id, with its blob",
    description:
      "It is answered until it is pruned, also after it was archived. Where it was created is not told: offset, " +
      "nodeId and acsDelta have no meaning here.",
    auth: "ledger:read-contract",
    body: GetContractRequest,
    success: json(z.object({ createdEvent: CreatedEvent }).meta({ id: "GetContractResponse" })),
    errors: [400, 401, 403, 404],
  },
});
