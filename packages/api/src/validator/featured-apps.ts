/** The right of a featured app. The SVs vote on it; on a network for development everybody grants it to themselves. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";

const errors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorFeaturedApps = defineEndpoints({ tags: ["wallet"], auth: "wallet-user", errors })({
  selfGrantFeatureAppRight: {
    method: "POST",
    path: "/v0/wallet/self-grant-feature-app-right",
    summary: "Makes the caller a featured app, on a network for development",
    description: "A caller who has the right already keeps it, and reads its contract id.",
    body: z.object({}).nullable(),
    bodyMayBeAbsent: true,
    success: json(z.object({ contract_id: z.string() })),
  },
  cancelFeaturedAppRights: {
    method: "DELETE",
    path: "/v0/wallet/cancel-featured-app-rights",
    summary: "Gives up every right of a featured app that the caller has",
    description: "The answer is the same if there is none.",
    success: empty,
  },
});
