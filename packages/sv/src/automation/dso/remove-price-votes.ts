/** Removes votes of SVs that have left, and all but the latest vote of an SV that left and came back. */
import { defineAutomation } from "../dso-automation.ts";
import { hasOpenRounds } from "../rounds/open-rounds.ts";

export const removePriceVotes = defineAutomation({
  name: "remove-price-votes",
  subjects: ["rounds"],
  decide: ({ facts, rules, hash, task }) => {
    const { strayVotes: nonSvVoteCids, repeatedVotes: duplicateVoteCids } = rules;
    if (!hasOpenRounds(facts) || nonSvVoteCids.length + duplicateVoteCids.length === 0) return [];
    const argument = { nonSvVoteCids, duplicateVoteCids };
    const key = `remove votes ${hash(JSON.stringify(argument))}`;
    return [task(key, "DsoRules_GarbageCollectAmuletPriceVotes", argument)];
  },
});
