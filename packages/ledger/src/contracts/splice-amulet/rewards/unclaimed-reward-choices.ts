/**
 * Rewards that nobody minted while their round issued: the DSO expires the coupons in batches, and keeps what
 * they would have earned as one unclaimed reward. Unclaimed rewards are merged so that they do not pile up.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import { sum } from "../../../values/decimal.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { UnclaimedReward } from "../declarations/reward-coupons.ts";
import { claimExpiredRewards } from "./claim-expired-rewards.ts";

const dsoAlone = ({ dso }: AmuletRules) => [dso];

export const unclaimedRewardChoices = {
  AmuletRules_ClaimExpiredRewards: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument }) => ({
      unclaimedRewardCid: claimExpiredRewards(update, dso, argument),
    }),
  },
  AmuletRules_MergeUnclaimedRewards: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { unclaimedRewardCids } }) => {
      requireThat("More than one unclaimed reward contracts", unclaimedRewardCids.length > 1);
      const ofDso = forDso(dso);
      const amount = sum(
        unclaimedRewardCids.map((cid) => fetchAndArchive(update, UnclaimedReward, cid, ofDso).amount),
      );
      return { unclaimedRewardCid: update.create(UnclaimedReward, { dso, amount }) };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;
