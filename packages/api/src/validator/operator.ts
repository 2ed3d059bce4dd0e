/** The validator itself. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { ListAutomationsResponse } from "../splice/automations.ts";

const ValidatorUser = z
  .object({
    /** The operator's party. */
    party_id: z.string(),
    /** The user of the participant as whom the validator works. */
    user_name: z.string(),
    featured: z.boolean(),
  })
  .meta({ id: "GetValidatorUserInfoResponse" });

export const validatorOperator = defineEndpoints({ tags: ["validator"] })({
  getValidatorUserInfo: {
    method: "GET",
    path: "/v0/validator-user",
    summary: "Who operates the validator",
    auth: "none",
    success: json(ValidatorUser),
    errors: [404],
  },
  listAutomations: {
    method: "GET",
    path: "/v0/admin/automations",
    summary: "What the validator does by itself: what it did, what it waits for, what failed",
    auth: "validator-operator",
    success: json(ListAutomationsResponse),
    errors: [401, 403, 404, 503],
  },
});
