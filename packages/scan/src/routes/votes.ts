/** Votes of the SVs: on the price of the coin, on requests, and those that are closed. */
import { type ListVoteResultsRequest, spliceError } from "@callsign/api";
import { AmuletPriceVote, type JsonValue, type Time, VoteRequest } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { MAX_LISTED_CONTRACTS } from "../limits/limits.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { toWireContract } from "../wire/wire-contract.ts";
import { readTimeText } from "./read-time-text.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function scanVoteRoutes(index: () => ScanIndex) {
  const list = (template: typeof AmuletPriceVote | typeof VoteRequest) =>
    index().contracts.list(template).slice(0, MAX_LISTED_CONTRACTS).map(toWireContract);
  return {
    listAmuletPriceVotes: () => ({ amulet_price_votes: list(AmuletPriceVote) }),
    listDsoRulesVoteRequests: () => ({ dso_rules_vote_requests: list(VoteRequest) }),
    lookupDsoRulesVoteRequest: ({ params: { vote_request_contract_id: id } }) => {
      const [found] = findRequests(index(), [id]);
      if (found === undefined)
        throw new Refusal(spliceError(404, `No VoteRequest found contract: ${id.slice(0, 200)}`));
      return { dso_rules_vote_request: toWireContract(found) };
    },
    listVoteRequestsByTrackingCid: ({ body }) => ({
      vote_requests: findRequests(index(), body.vote_request_contract_ids).map(toWireContract),
    }),
    ...voteResultRoutes(index),
  } satisfies ScanHandlers;
}

/** By the ids of today, or by those that the requests were first made under: each vote gives a request another id. */
function findRequests(
  { contracts }: ScanIndex,
  ids: readonly string[],
): readonly CurrentContract<typeof VoteRequest>[] {
  const wanted = new Set(ids);
  return contracts
    .list(VoteRequest)
    .filter(
      ({ contract, payload }) => wanted.has(contract.contractId) || wanted.has(payload.trackingCid ?? ""),
    );
}

export function voteResultRoutes(index: () => ScanIndex) {
  return {
    listVoteRequestResults: ({ body }: { readonly body: ListVoteResultsRequest }) => {
      const results = index().voteResults.list({
        ...body,
        effectiveFrom: readBound("effectiveFrom", body.effectiveFrom),
        effectiveTo: readBound("effectiveTo", body.effectiveTo),
      });
      return { dso_rules_vote_results: results.map((text) => JSON.parse(text) as Record<string, JsonValue>) };
    },
  };
}

function readBound(field: string, text: string | null): Time | null {
  return text === null ? null : readTimeText(field, text);
}
