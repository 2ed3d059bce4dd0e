/** A new SV has a vote on the coin's price without a price. Rounds open with the median of the prices there are. */
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { hasOpenRounds } from "../rounds/open-rounds.ts";

export const voteOnPrice = defineAutomation({
  name: "vote-on-price",
  subjects: ["rounds"],
  decide: ({ facts, rules, sv, amuletPrice }) => {
    const vote = rules.votes.find(({ payload }) => payload.sv === sv);
    if (!hasOpenRounds(facts) || amuletPrice === null || vote?.payload.amuletPrice !== null) return [];
    const argument = { voteCid: vote.contractId, amuletPrice };
    const command = exerciseDsoRules(rules, sv, "DsoRules_UpdateAmuletPriceVote", argument);
    return [{ key: `vote ${vote.contractId}`, commands: [command], takes: "each" }];
  },
});
