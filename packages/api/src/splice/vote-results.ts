/** Votes that are closed, as scans and SV apps list them. */
import { z } from "zod";
import { json } from "../endpoint.ts";
import { jsonObject } from "../wire/json.ts";
import { orNull } from "../wire/or-null.ts";

const MAX_VOTE_RESULTS = 1000;

const ListVoteResultsRequest = z
  .object({
    /** A part of the action's name, such as `SRARC_OffboardSv`. */
    actionName: orNull(z.string()),
    accepted: orNull(z.boolean()),
    /** A part of the name of the SV that asked for the vote. */
    requester: orNull(z.string()),
    /** Votes that took effect, or were closed, between these times. */
    effectiveFrom: orNull(z.string()),
    effectiveTo: orNull(z.string()),
    limit: z.int().min(1).max(MAX_VOTE_RESULTS),
  })
  .meta({ id: "ListVoteResultsRequest" });
export type ListVoteResultsRequest = z.output<typeof ListVoteResultsRequest>;

/** The operation, which scans and SV apps have under one path. */
export const voteResults = {
  method: "POST",
  path: "/v0/admin/sv/voteresults",
  summary: "Votes that are closed, the last effective first",
  body: ListVoteResultsRequest,
  success: json(
    z
      .object({
        /** Results of the ledger's choice `DsoRules_CloseVoteRequest`. */
        dso_rules_vote_results: z.array(jsonObject),
      })
      .meta({ id: "ListDsoRulesVoteResultsResponse" }),
  ),
} as const;
