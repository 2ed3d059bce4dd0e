/** The network as an SV's operator sees it, and the SV's vote on the coin's price. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { DsoInfo } from "../scan/network.ts";
import { ListAutomationsResponse, pauseAutomation } from "../splice/automations.ts";
import { Contract } from "../splice/contract.ts";
import { givenDecimal } from "../wire/texts.ts";

const PriceVoteRequest = z
  .object({
    /** In dollars. */
    amulet_price: givenDecimal,
  })
  .meta({ id: "UpdateAmuletPriceVoteRequest" });

export const svOperator = defineEndpoints({ tags: ["operator"], auth: "sv-operator" })({
  isAuthorized: {
    method: "GET",
    path: "/v0/admin/authorization",
    summary: "Whether the caller operates the SV",
    success: empty,
    errors: [401, 403, 503],
  },
  getDsoInfo: {
    method: "GET",
    path: "/v0/dso",
    summary: "The DSO: its rules, its SVs, its latest round",
    auth: "none",
    success: json(DsoInfo),
    errors: [500, 503],
  },
  listOpenMiningRounds: {
    method: "GET",
    path: "/v0/admin/sv/open-mining-rounds",
    summary: "The rounds that are open, or will be next, by number",
    success: json(z.object({ open_mining_rounds: z.array(Contract) })),
    errors: [401, 403, 503],
  },
  listAmuletPriceVotes: {
    method: "GET",
    path: "/v0/admin/sv/amulet-price/votes",
    summary: "What each SV wants the coin to cost",
    success: json(z.object({ amulet_price_votes: z.array(Contract) })),
    errors: [401, 403, 503],
  },
  updateAmuletPriceVote: {
    method: "PUT",
    path: "/v0/admin/sv/amulet-price/vote",
    summary: "What this SV wants the coin to cost",
    description: "The next round that opens takes the median. A vote can be changed again after a while.",
    body: PriceVoteRequest,
    success: empty,
    errors: [400, 401, 403, 500, 503],
  },
  listAutomations: {
    method: "GET",
    path: "/v0/admin/automations",
    summary: "What the SV does by itself: what it did, what it waits for, how often another was faster",
    success: json(ListAutomationsResponse),
    errors: [401, 403, 503],
  },
  pauseAutomation: { ...pauseAutomation, errors: [400, 401, 403, 404, 503] },
});
