/**
 * Opens the next round. After a jump of the clock one new round is enough, however many ticks were jumped over: it
 * opens a tick after *now*, and no other is due before that.
 */
import { defineAutomation } from "../dso-automation.ts";
import { findOpenRounds, isNextRoundDue, listNextRoundMoments } from "./open-rounds.ts";

export const advanceRounds = defineAutomation({
  name: "advance-rounds",
  subjects: ["rounds"],
  moments: listNextRoundMoments,
  decide: ({ facts, rules, task }) => {
    const rounds = findOpenRounds(facts);
    if (rounds === null || !isNextRoundDue(facts)) return [];
    const [oldest, middle, latest] = rounds;
    const argument = {
      amuletRulesCid: rules.amuletRulesCid,
      roundToArchiveCid: oldest.cid,
      middleRoundCid: middle.cid,
      latestRoundCid: latest.cid,
      amuletPriceVoteCids: rules.votes.map(({ contractId }) => contractId),
    };
    return [task(`advance ${latest.cid}`, "DsoRules_AdvanceOpenMiningRounds", argument)];
  },
});
