/** Removes votes of SVs that have left, and all but the latest vote of an SV that left and came back. */
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { hasOpenRounds } from "../rounds/open-rounds.ts";

export const removePriceVotes = defineAutomation({
  name: "remove-price-votes",
  subjects: ["rounds"],
  decide: ({ facts, rules, sv, hash }) => {
    const { strayVotes: nonSvVoteCids, repeatedVotes: duplicateVoteCids } = rules;
    if (!hasOpenRounds(facts) || nonSvVoteCids.length + duplicateVoteCids.length === 0) return [];
    const argument = { nonSvVoteCids, duplicateVoteCids };
    const command = exerciseDsoRules(rules, sv, "DsoRules_GarbageCollectAmuletPriceVotes", argument);
    return [{ key: `remove votes ${hash(JSON.stringify(argument))}`, commands: [command], takes: 1 }];
  },
});
