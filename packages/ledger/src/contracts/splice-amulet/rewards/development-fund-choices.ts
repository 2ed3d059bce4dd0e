/**
 * The development fund: what rounds put aside is merged by the DSO and given away by the fund's manager, whom
 * the configuration names. What a gift leaves of the coupons it is taken from stays in the fund.
 */

import { showParty } from "../../../daml/show.ts";
import { abort, requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, formatDecimalShort, subtract, sum, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { DevelopmentFundCoupon, UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";

export const developmentFundChoices = {
  AmuletRules_MergeUnclaimedDevelopmentFundCoupons: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract: { dso }, argument: { unclaimedDevelopmentFundCouponCids: cids } }) => {
      requireThat("More than one unclaimed development fund coupon contract", cids.length > 1);
      const amount = takeFromFund(update, dso, cids);
      return {
        unclaimedDevelopmentFundCouponCid: update.create(UnclaimedDevelopmentFundCoupon, { dso, amount }),
      };
    },
  },
  AmuletRules_AllocateDevelopmentFundCoupon: {
    controllers: (_rules, { fundManager }) => [fundManager],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso } = rules;
      const { beneficiary, fundManager, amount, expiresAt, reason } = argument;
      requireWithinDeadline("DevelopmentFundCoupon.expiresAt", update.now, expiresAt);
      requireFundManager(rules, fundManager);
      const taken = takeFromFund(update, dso, argument.unclaimedDevelopmentFundCouponCids);
      const leftover = subtract(taken, amount);
      if (leftover < 0n) {
        const missing = formatDecimalShort(subtract(ZERO, leftover));
        abort(`insufficient amount to cover the requested allocation: ${missing}`);
      }
      const optUnclaimedDevelopmentFundCouponCid =
        leftover === 0n ? null : update.create(UnclaimedDevelopmentFundCoupon, { dso, amount: leftover });
      const given = { dso, beneficiary, fundManager, amount, expiresAt, reason };
      const developmentFundCouponCid = update.create(DevelopmentFundCoupon, given);
      return { developmentFundCouponCid, optUnclaimedDevelopmentFundCouponCid };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;

function requireFundManager({ configSchedule }: AmuletRules, fundManager: PartyId): void {
  const manager =
    configSchedule.initialValue.optDevelopmentFundManager ??
    abort("DevelopmentFundCoupon cannot be allocated without a Development Fund manager configured");
  const label = `controller is the configured Development Fund manager: ${showParty(manager)}`;
  requireThat(label, manager === fundManager);
}

function takeFromFund(update: Update, dso: PartyId, couponCids: readonly ContractId[]): Decimal {
  const ofDso = forDso(dso);
  return sum(
    couponCids.map((cid) => fetchAndArchive(update, UnclaimedDevelopmentFundCoupon, cid, ofDso).amount),
  );
}
