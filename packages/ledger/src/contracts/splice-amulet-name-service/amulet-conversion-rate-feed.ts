/**
 * AmuletConversionRateFeed: the price of a coin as its publisher sees it. It may change every half tick at most,
 * because the network's price changes with the rounds anyway, and earns its publisher a marker if that is featured.
 */
import { implement } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { fetchViewChecked, requireGroup } from "../checks/checked-fetch.ts";
import { forDso, forOwnerAs } from "../checks/contract-group.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../checks/deadline.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { FeaturedAppRightV1 } from "../splice-api-featured-app-v1/featured-app-right.ts";
import { AmuletConversionRateFeed } from "./declarations/amulet-conversion-rate-feed.ts";

interface Right {
  readonly dso: PartyId;
  readonly provider: PartyId;
}

export const amuletConversionRateFeed = implement(AmuletConversionRateFeed, {
  signatories: ({ publisher }) => [publisher],
  observers: ({ dso }) => [dso],
  choices: {
    AmuletConversionRateFeed_ArchiveAsDso: { controllers: ({ dso }) => [dso], exercise: () => ({}) },
    AmuletConversionRateFeed_Update: {
      controllers: ({ publisher }) => [publisher],
      exercise: ({ update, contract: feed, argument }) => {
        const { dso, publisher, nextUpdateAfter } = feed;
        const { amuletRulesCid, amuletConversionRate, markerContextO, newNextUpdateAfter } = argument;
        const rules = update.exercise(AmuletRules, amuletRulesCid, "AmuletRules_Fetch", { p: publisher });
        requireGroup(forDso(dso), rules, `AmuletRules ${amuletRulesCid}`);
        if (nextUpdateAfter !== null) requireDeadlineExceeded("nextUpdateAfter", update.now, nextUpdateAfter);
        // Exactly half a tick from now is late enough.
        const halfTick = rules.configSchedule.initialValue.tickDuration.microseconds / 2n;
        const latest = addDuration(newNextUpdateAfter, 1n - halfTick);
        requireWithinDeadline("newNextUpdateAfter - 0.5 tickDuration", update.now, latest);
        if (markerContextO !== null) {
          const { featuredAppRightCid, beneficiaries } = markerContextO;
          const own = forOwnerAs({ dso, owner: publisher }, ({ provider }: Right) => provider);
          fetchViewChecked(update, FeaturedAppRightV1, featuredAppRightCid, own);
          const choice = "FeaturedAppRight_CreateActivityMarker";
          update.exerciseInterface(FeaturedAppRightV1, featuredAppRightCid, choice, { beneficiaries });
        }
        const next = { ...feed, amuletConversionRate, nextUpdateAfter: newNextUpdateAfter };
        return { cid: update.create(AmuletConversionRateFeed, next) };
      },
    },
  },
});
