/** Votes of the SVs: on the price of the coin, on requests, and those that are closed. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { voteResults } from "../splice/vote-results.ts";

const MAX_REQUESTS = 1000;

export const scanVotes = defineEndpoints({ tags: ["internal", "scan"], auth: "none" })({
  listAmuletPriceVotes: {
    method: "GET",
    path: "/v0/amulet-price/votes",
    summary: "The SVs' votes on the price of the coin",
    success: json(z.object({ amulet_price_votes: z.array(Contract) })),
    errors: [429, 503],
  },
  listDsoRulesVoteRequests: {
    method: "GET",
    path: "/v0/admin/sv/voterequests",
    summary: "The requests that are being voted on, oldest first",
    success: json(z.object({ dso_rules_vote_requests: z.array(Contract) })),
    errors: [429, 503],
  },
  lookupDsoRulesVoteRequest: {
    method: "GET",
    path: "/v0/voterequests/{vote_request_contract_id}",
    summary: "One request for a vote, with the votes so far",
    description: "By the contract id of today, or by the one that the request was first made under.",
    params: z.object({ vote_request_contract_id: z.string() }),
    success: json(z.object({ dso_rules_vote_request: Contract })),
    errors: [400, 404, 429, 503],
  },
  listVoteRequestsByTrackingCid: {
    method: "POST",
    path: "/v0/voterequest",
    summary: "Those of the named requests that are still being voted on",
    body: z
      .object({ vote_request_contract_ids: z.array(z.string()).max(MAX_REQUESTS) })
      .meta({ id: "BatchListVotesByVoteRequestsRequest" }),
    success: json(z.object({ vote_requests: z.array(Contract) })),
    errors: [400, 429, 503],
  },
  listVoteRequestResults: { ...voteResults, errors: [400, 429, 503] },
});
