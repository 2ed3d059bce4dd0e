/** UnclaimedReward: rewards that nobody minted in time, at the DSO's disposal. */
import { implement } from "../../../engine/template.ts";
import { UnclaimedReward } from "../declarations/reward-coupons.ts";

export const unclaimedReward = implement(UnclaimedReward, {
  signatories: ({ dso }) => [dso],
  ensure: ({ amount }) => amount > 0n,
});
