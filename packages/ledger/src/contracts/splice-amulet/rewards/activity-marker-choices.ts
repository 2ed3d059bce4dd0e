/**
 * Activity of featured apps becomes reward coupons: the DSO uses up markers in batches, and each provider and
 * beneficiary gets one coupon of an open round for all of theirs. Where the configuration sets no amount for a
 * marker, or their weight is worth less than the smallest amount of coin, markers are used up for nothing.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { add, divide, multiply, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { compareAscii } from "../../../values/text.ts";
import { fetchAndArchive, fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { AppRewardCoupon } from "../declarations/reward-coupons.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { Round } from "../declarations/round-number.ts";

export const activityMarkerChoices = {
  AmuletRules_ConvertFeaturedAppActivityMarkers: {
    controllers: ({ dso }) => [dso],
    observers: (_rules, { observers }) => observers ?? [],
    exercise: ({ update, contract: rules, argument: { markerCids, openMiningRoundCid } }) => {
      const { dso } = rules;
      const markers = mergeMarkers(update, dso, markerCids);
      const round = fetchChecked(update, OpenMiningRound, openMiningRoundCid, forDso(dso));
      // Splice shows all of the round's fields here; its number is enough.
      requireThat(`mining round is open: ${Round.show(round.round)}`, round.opensAt <= update.now);
      const amountUsd = rules.configSchedule.initialValue.featuredAppActivityMarkerAmount ?? ZERO;
      const perMarker = divide(amountUsd, round.amuletPrice);
      const appRewardCouponCids: ContractId[] = [];
      for (const { provider, beneficiary, weight } of markers) {
        const amount = multiply(perMarker, weight);
        // Splice fails on a coupon over nothing: one marker of hardly any weight would keep a whole batch waiting.
        if (amount <= 0n) continue;
        const coupon = { dso, provider, featured: true, amount, round: round.round, beneficiary };
        appRewardCouponCids.push(update.create(AppRewardCoupon, coupon));
      }
      return { appRewardCouponCids };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;

/** Uses the markers up; the weights of one provider and beneficiary are added, in the order of both. */
function mergeMarkers(
  update: Update,
  dso: PartyId,
  markerCids: readonly ContractId[],
): readonly FeaturedAppActivityMarker[] {
  const ofDso = forDso(dso);
  const merged = new Map<string, FeaturedAppActivityMarker>();
  for (const cid of markerCids) {
    const marker = fetchAndArchive(update, FeaturedAppActivityMarker, cid, ofDso);
    const key = `${marker.provider} ${marker.beneficiary}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? marker : { ...marker, weight: add(before.weight, marker.weight) });
  }
  return [...merged.values()].sort(
    (a, b) => compareAscii(a.provider, b.provider) || compareAscii(a.beneficiary, b.beneficiary),
  );
}
