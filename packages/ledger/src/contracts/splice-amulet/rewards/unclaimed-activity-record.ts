/**
 * UnclaimedActivityRecord: unclaimed rewards that the SVs voted to somebody. It belongs to no round; it can be
 * minted until it expires, and is unclaimed again afterwards.
 */
import { implement } from "../../../engine/template.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import { UnclaimedActivityRecord, UnclaimedReward } from "../declarations/reward-coupons.ts";

export const unclaimedActivityRecord = implement(UnclaimedActivityRecord, {
  signatories: ({ dso }) => [dso],
  observers: ({ beneficiary }) => [beneficiary],
  ensure: ({ amount }) => amount > 0n,
  choices: {
    UnclaimedActivityRecord_DsoExpire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: { dso, amount, expiresAt } }) => {
        requireDeadlineExceeded("UnclaimedActivityRecord.expiresAt", update.now, expiresAt);
        return { unclaimedRewardCid: update.create(UnclaimedReward, { dso, amount }) };
      },
    },
  },
});
