/** Votes of the SVs on what people, not automations, ask for. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { voteResults } from "../splice/vote-results.ts";
import { jsonObject } from "../wire/json.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const CreateVoteRequest = z
  .object({
    /** This SV's party. */
    requester: z.string(),
    /** The action, a value of the ledger's type `ActionRequiringConfirmation`. */
    action: jsonObject,
    url: z.string(),
    description: z.string(),
    /** The time for votes: `{"microseconds": "3600000000"}`. */
    expiration: jsonObject,
    /** The time at which the action takes effect. If omitted: as soon as enough SVs agree. */
    effectiveTime: orNull(dateTime),
  })
  .meta({ id: "CreateVoteRequest" });
export type CreateVoteRequest = z.output<typeof CreateVoteRequest>;

const CastVoteRequest = z
  .object({
    /** The request's, as it was first made or as it is now. */
    vote_request_contract_id: z.string(),
    is_accepted: z.boolean(),
    reason_url: z.string(),
    reason_description: z.string(),
  })
  .meta({ id: "CastVoteRequest" });
export type CastVoteRequest = z.output<typeof CastVoteRequest>;

const MAX_REQUESTS = 1000;

export const svVotes = defineEndpoints({ tags: ["votes"], auth: "sv-operator" })({
  listDsoRulesVoteRequests: {
    method: "GET",
    path: "/v0/admin/sv/voterequests",
    summary: "What is being voted on",
    success: json(z.object({ dso_rules_vote_requests: z.array(Contract) })),
    errors: [401, 403, 503],
  },
  listVoteRequestResults: { ...voteResults, errors: [400, 401, 403, 503] },
  lookupDsoRulesVoteRequest: {
    method: "GET",
    path: "/v0/admin/sv/voterequests/{vote_request_contract_id}",
    summary: "One request for a vote, with the votes so far",
    params: z.object({ vote_request_contract_id: z.string() }),
    success: json(z.object({ dso_rules_vote_request: Contract })),
    errors: [400, 401, 403, 404, 503],
  },
  listVoteRequestsByTrackingCid: {
    method: "POST",
    path: "/v0/admin/sv/voterequest",
    summary: "Those of the named requests that are still being voted on",
    body: z
      .object({ vote_request_contract_ids: z.array(z.string()).max(MAX_REQUESTS) })
      .meta({ id: "BatchListVotesByVoteRequestsRequest" }),
    success: json(z.object({ vote_requests: z.array(Contract) })),
    errors: [400, 401, 403, 503],
  },
  createVoteRequest: {
    method: "POST",
    path: "/v0/admin/sv/voterequest/create",
    summary: "Asks the SVs for a vote; this SV votes for it",
    body: CreateVoteRequest,
    success: empty,
    errors: [400, 401, 403, 500, 503],
  },
  castVote: {
    method: "POST",
    path: "/v0/admin/sv/votes",
    summary: "This SV's vote; it may be changed after a while",
    body: CastVoteRequest,
    success: empty,
    successStatus: 201,
    errors: [400, 401, 403, 404, 500, 503],
  },
});
