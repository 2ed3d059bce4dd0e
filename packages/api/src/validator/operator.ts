/** The validator itself. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";

const ValidatorUser = z
  .object({
    /** The operator's party. */
    party_id: z.string(),
    /** The user of the participant as whom the validator works. */
    user_name: z.string(),
    featured: z.boolean(),
  })
  .meta({ id: "GetValidatorUserInfoResponse" });

export const validatorOperator = defineEndpoints({
  getValidatorUserInfo: {
    method: "GET",
    path: "/v0/validator-user",
    tags: ["validator"],
    summary: "Who operates the validator",
    auth: "none",
    success: json(ValidatorUser),
    errors: [404],
  },
});
