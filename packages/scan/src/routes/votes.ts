/** Votes of the SVs that are closed. */
import type { ListVoteResultsRequest } from "@callsign/api";
import type { JsonValue, Time } from "@callsign/ledger";
import type { ScanIndex } from "../rows/scan-index.ts";
import { readTimeText } from "./read-time-text.ts";

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
