/**
 * A round after it was open: the SVs agree on its totals and it starts issuing, a tick later and for two ticks;
 * then it is closed, and archived once no coupon of it is left. What its coupons cannot earn is put down as
 * unclaimed at once, and so is the development fund's share.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import { add } from "../../../values/decimal.ts";
import { addDuration } from "../../../values/time.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";
import { UnclaimedReward } from "../declarations/reward-coupons.ts";
import { ClosedMiningRound, IssuingMiningRound, SummarizingMiningRound } from "../declarations/round.ts";
import { computeIssuance, requireValidSummary } from "./issuance.ts";

const dsoAlone = ({ dso }: AmuletRules) => [dso];

export const roundChoices = {
  AmuletRules_MiningRound_StartIssuing: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { miningRoundCid, summary } }) => {
      const round = fetchAndArchive(update, SummarizingMiningRound, miningRoundCid, forDso(dso));
      requireValidSummary(summary);
      const issuance = computeIssuance(round, summary);
      const unclaimed = add(
        add(issuance.unclaimedValidatorRewards, issuance.unclaimedAppRewards),
        issuance.unclaimedSvRewards,
      );
      if (unclaimed > 0n) update.create(UnclaimedReward, { dso, amount: unclaimed });
      const fund = issuance.developmentFund;
      const unclaimedDevelopmentFundCouponCid =
        fund > 0n ? update.create(UnclaimedDevelopmentFundCoupon, { dso, amount: fund }) : null;
      const tick = round.tickDuration.microseconds;
      const opensAt = addDuration(update.now, tick);
      const issuingRoundCid = update.create(IssuingMiningRound, {
        dso,
        round: round.round,
        issuancePerValidatorRewardCoupon: issuance.perValidatorRewardCoupon,
        issuancePerFeaturedAppRewardCoupon: issuance.perFeaturedAppRewardCoupon,
        issuancePerUnfeaturedAppRewardCoupon: issuance.perUnfeaturedAppRewardCoupon,
        issuancePerSvRewardCoupon: issuance.perSvRewardCoupon,
        opensAt,
        targetClosesAt: addDuration(opensAt, 2n * tick),
        optIssuancePerValidatorFaucetCoupon: issuance.perValidatorFaucetCoupon,
      });
      return { issuingRoundCid, unclaimedDevelopmentFundCouponCid };
    },
  },
  AmuletRules_MiningRound_Close: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { issuingRoundCid } }) => {
      const issuing = fetchAndArchive(update, IssuingMiningRound, issuingRoundCid, forDso(dso));
      const { opensAt: _opensAt, targetClosesAt, ...closed } = issuing;
      requireThat("Mining round is past targetClosesAt", targetClosesAt <= update.now);
      return { closedRoundCid: update.create(ClosedMiningRound, closed) };
    },
  },
  AmuletRules_MiningRound_Archive: {
    controllers: dsoAlone,
    exercise: ({ update, contract: { dso }, argument: { closedRoundCid } }) => {
      fetchAndArchive(update, ClosedMiningRound, closedRoundCid, forDso(dso));
      return {};
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;
