/** Votes of the SVs that are closed. */
import { defineEndpoints } from "../endpoint.ts";
import { voteResults } from "../splice/vote-results.ts";

export const scanVotes = defineEndpoints({ tags: ["internal", "scan"], auth: "none" })({
  listVoteRequestResults: { ...voteResults, errors: [400, 429, 503] },
});
