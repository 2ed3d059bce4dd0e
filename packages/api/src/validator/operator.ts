/** The validator itself. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { ListAutomationsResponse, pauseAutomation } from "../splice/automations.ts";
import { SpliceInstanceNames } from "../splice/instance-names.ts";

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
  getShownNames: {
    method: "GET",
    path: "/ext/v1/splice-instance-names",
    summary: "The names that applications show: the operator's, or those on which the scans agree",
    auth: "none",
    success: json(SpliceInstanceNames),
    errors: [404, 502, 503],
  },
  listAutomations: {
    method: "GET",
    path: "/v0/admin/automations",
    summary: "What the validator does by itself: what it did, what it waits for, what failed",
    auth: "validator-operator",
    success: json(ListAutomationsResponse),
    errors: [401, 403, 404, 503],
  },
  pauseAutomation: {
    ...pauseAutomation,
    auth: "validator-operator",
    errors: [400, 401, 403, 404, 409, 503],
  },
});
