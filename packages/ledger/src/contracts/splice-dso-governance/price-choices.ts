/**
 * The coin's price: each SV may change its vote once in a while, and a new round opens with the median.
 * Without the cooldown an SV could keep a round from opening by changing its vote all the time.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive, fetchChecked } from "../checks/checked-fetch.ts";
import { forDso, forSvAsOwner } from "../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../checks/deadline.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { fetchMedianPrice } from "./amulet-price-vote.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote } from "./declarations/sv-state.ts";
import { byMember, isMember } from "./members.ts";
import { voteCooldown } from "./sv-contracts.ts";

export const priceChoices = {
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
  DsoRules_GarbageCollectAmuletPriceVotes: byMember(({ update, contract: rules, argument }) => {
    for (const voteCid of argument.nonSvVoteCids) {
      const { sv } = fetchAndArchive(update, AmuletPriceVote, voteCid, forDso(rules.dso));
      requireThat("SV is no sv", !isMember(rules, sv));
    }
    for (const voteCids of argument.duplicateVoteCids) keepLatestVote(update, rules, voteCids);
    return {};
  }),
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
} satisfies SomeChoiceRules<typeof DsoRules>;

/** An SV that left and came back quickly may have several votes: all but its latest are archived. */
function keepLatestVote(update: Update, rules: DsoRules, voteCids: readonly ContractId[]): void {
  requireThat("Unique references to duplicates", new Set(voteCids).size === voteCids.length);
  const votes = voteCids.map((cid) => ({
    cid,
    vote: fetchChecked(update, AmuletPriceVote, cid, forDso(rules.dso)),
  }));
  const [latest, ...duplicates] = votes.sort((a, b) => Number(b.vote.lastUpdatedAt - a.vote.lastUpdatedAt));
  if (latest === undefined) abort("empty list of duplicate votes");
  if (duplicates.length === 0) abort("singleton list of duplicate votes");
  const { sv } = latest.vote;
  requireThat("SV is a sv", isMember(rules, sv));
  for (const { cid, vote } of duplicates) {
    update.archive(AmuletPriceVote, cid);
    requireThat("SV of duplicate matches", vote.sv === sv);
  }
}
