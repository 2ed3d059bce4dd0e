/**
 * The coin's price: each SV may change its vote once in a while, and a new round opens with the median.
 * Without the cooldown an SV could keep a round from opening by changing its vote all the time.
 */
import type { TemplateRules } from "../../engine/template.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forSvAsOwner } from "../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../checks/deadline.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { fetchMedianPrice } from "./amulet-price-vote.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote } from "./declarations/sv-state.ts";
import { byMember } from "./members.ts";
import { voteCooldown } from "./sv-contracts.ts";

type PriceChoices = Pick<
  TemplateRules<typeof DsoRules>["choices"],
  "DsoRules_UpdateAmuletPriceVote" | "DsoRules_AdvanceOpenMiningRounds"
>;

export const priceChoices: PriceChoices = {
  DsoRules_UpdateAmuletPriceVote: {
    controllers: (_rules, { sv }) => [sv],
    exercise: ({ update, contract: { dso, config }, argument: { sv, voteCid, amuletPrice } }) => {
      const { lastUpdatedAt } = fetchAndArchive(update, AmuletPriceVote, voteCid, forSvAsOwner(dso, sv));
      const nextAllowed = addDuration(lastUpdatedAt, voteCooldown(config));
      requireDeadlineExceeded(`voteCooldownTime for ${sv}`, update.now, nextAllowed);
      const vote = { dso, sv, amuletPrice, lastUpdatedAt: update.now };
      return { amuletPriceVote: update.create(AmuletPriceVote, vote) };
    },
  },
  DsoRules_AdvanceOpenMiningRounds: byMember(({ update, contract: rules, argument }) => {
    const { amuletRulesCid, roundToArchiveCid, middleRoundCid, latestRoundCid } = argument;
    const amuletPrice = fetchMedianPrice(update, rules, argument.amuletPriceVoteCids);
    const advanced = update.exercise(AmuletRules, amuletRulesCid, "AmuletRules_AdvanceOpenMiningRounds", {
      amuletPrice,
      roundToArchiveCid,
      middleRoundCid,
      latestRoundCid,
    });
    return { summarizingRound: advanced.summarizingRoundCid, openRound: advanced.openRoundCid };
  }),
};
