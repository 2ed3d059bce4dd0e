/** A new SV has a vote on the coin's price without a price. Rounds open with the median of the prices there are. */
import { defineAutomation } from "../dso-automation.ts";
import { hasOpenRounds } from "../rounds/open-rounds.ts";

export const voteOnPrice = defineAutomation({
  name: "vote-on-price",
  subjects: ["rounds"],
  decide: ({ facts, rules, sv, amuletPrice, task }) => {
    const vote = rules.votes.find(({ payload }) => payload.sv === sv);
    if (!hasOpenRounds(facts) || amuletPrice === null || vote?.payload.amuletPrice !== null) return [];
    const argument = { voteCid: vote.contractId, amuletPrice };
    return [task(`vote ${vote.contractId}`, "DsoRules_UpdateAmuletPriceVote", argument, "each")];
  },
});
