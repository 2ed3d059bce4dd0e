/**
 * Unclaimed rewards that the SVs vote to somebody: a quorum says to whom and how much, any SV finds the unclaimed
 * rewards for it, and the beneficiary mints the record. An expired record becomes an unclaimed reward again.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import { implement, type SomeChoiceRules } from "../../engine/template.ts";
import { formatDecimalShort, subtract, sum, ZERO } from "../../values/decimal.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../checks/deadline.ts";
import { UnclaimedActivityRecord, UnclaimedReward } from "../splice-amulet/declarations/reward-coupons.ts";
import { type DsoRules, UnallocatedUnclaimedActivityRecord } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

const DEADLINE = "UnallocatedUnclaimedActivityRecord.expiresAt";

export const unallocatedUnclaimedActivityRecord = implement(UnallocatedUnclaimedActivityRecord, {
  signatories: ({ dso }) => [dso],
  ensure: ({ amount }) => amount > 0n,
});

export const activityRecordChoices = {
  DsoRules_CreateUnallocatedUnclaimedActivityRecord: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract: { dso }, argument }) => {
      requireThat("UnclaimedActivityRecord expires after current time", argument.expiresAt > update.now);
      const voted = update.create(UnallocatedUnclaimedActivityRecord, { dso, ...argument });
      return { unallocatedUnclaimedActivityRecordCid: voted };
    },
  },
  DsoRules_AllocateUnallocatedUnclaimedActivityRecord: byMember(({ update, contract: { dso }, argument }) => {
    const { unallocatedUnclaimedActivityRecordCid: cid, unclaimedRewardsToBurnCids } = argument;
    const ofDso = forDso(dso);
    const voted = fetchAndArchive(update, UnallocatedUnclaimedActivityRecord, cid, ofDso);
    requireWithinDeadline(DEADLINE, update.now, voted.expiresAt);
    const found = unclaimedRewardsToBurnCids.map(
      (rewardCid) => fetchAndArchive(update, UnclaimedReward, rewardCid, ofDso).amount,
    );
    const leftover = subtract(sum(found), voted.amount);
    if (leftover < 0n) {
      abort(`insufficient unclaimed rewards: ${formatDecimalShort(subtract(ZERO, leftover))}`);
    }
    const optUnclaimedRewardCid =
      leftover === 0n ? null : update.create(UnclaimedReward, { dso, amount: leftover });
    const unclaimedActivityRecordCid = update.create(UnclaimedActivityRecord, voted);
    return { unclaimedActivityRecordCid, optUnclaimedRewardCid };
  }),
  DsoRules_ExpireUnallocatedUnclaimedActivityRecord: byMember(({ update, contract: { dso }, argument }) => {
    const { unallocatedUnclaimedActivityRecordCid: cid } = argument;
    const { expiresAt } = fetchAndArchive(update, UnallocatedUnclaimedActivityRecord, cid, forDso(dso));
    requireDeadlineExceeded(DEADLINE, update.now, expiresAt);
    return {};
  }),
  DsoRules_ExpireUnclaimedActivityRecord: byMember(({ update, argument: { unclaimedActivityRecordCid } }) => {
    const choice = "UnclaimedActivityRecord_DsoExpire";
    return update.exercise(UnclaimedActivityRecord, unclaimedActivityRecordCid, choice, {});
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
