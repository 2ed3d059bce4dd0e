/** Rewards, traffic, licenses and transfers. */
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  DevelopmentFundCoupon,
  FeaturedAppActivityMarker,
  MemberTraffic,
  SvRewardState,
  TransferCommand,
  TransferCommandCounter,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorLicense,
} from "@callsign/ledger";
import { type AgendaRow, agendaKind, dueByItself, itself } from "./agenda-kind.ts";
import { textKey, trafficText } from "./keys.ts";
import { FUND_COUPONS, MARKERS, ROUNDS, type Subject, UNCLAIMED_REWARDS } from "./subject.ts";

export const COIN_KINDS = [
  agendaKind(UnclaimedReward, { subjectsOf: () => [UNCLAIMED_REWARDS] }),
  agendaKind(UnclaimedDevelopmentFundCoupon, { subjectsOf: () => [FUND_COUPONS] }),
  dueByItself(DevelopmentFundCoupon, ({ expiresAt }) => expiresAt),
  dueByItself(UnclaimedActivityRecord, ({ expiresAt }) => expiresAt),
  agendaKind(UnallocatedUnclaimedActivityRecord, {
    columnsOf: ({ expiresAt }) => ({ due: expiresAt }),
    subjectsOf: (row) => [UNCLAIMED_REWARDS, itself(row)],
  }),
  // A marker does not fall due by itself: the oldest of them stands for all.
  agendaKind(FeaturedAppActivityMarker, { subjectsOf: () => [MARKERS] }),
  agendaKind(SvRewardState, {
    columnsOf: ({ svName }, { hash }) => ({ ownerKey: textKey(hash, svName) }),
    subjectsOf: (row) => [ROUNDS, ...ownedBy("reward-states", row)],
  }),
  agendaKind(MemberTraffic, {
    columnsOf: (traffic, { hash }) => ({ ownerKey: textKey(hash, trafficText(traffic)) }),
    subjectsOf: (row) => ownedBy("traffic", row),
  }),
  agendaKind(ValidatorLicense, {
    columnsOf: ({ validator }, { hash }) => ({ ownerKey: textKey(hash, validator) }),
    subjectsOf: (row) => ownedBy("licenses", row),
  }),
  dueByItself(TransferPreapproval, ({ expiresAt }) => expiresAt),
  dueByItself(AmuletTransferInstruction, ({ transfer }) => transfer.executeBefore),
  dueByItself(AmuletAllocation, ({ allocation }) => allocation.settlement.settleBefore),
  agendaKind(TransferCommand, {
    columnsOf: ({ sender }, { hash, hasCounter }) => {
      const ownerKey = textKey(hash, sender);
      return { ownerKey, pending: !hasCounter(ownerKey) };
    },
    subjectsOf: (row) => ownedBy("commands", row),
  }),
  agendaKind(TransferCommandCounter, {
    columnsOf: ({ sender }, { hash }) => ({ ownerKey: textKey(hash, sender) }),
    subjectsOf: (row) => ownedBy("commands", row),
    settles: TransferCommand,
  }),
];

function ownedBy(
  kind: "traffic" | "licenses" | "reward-states" | "commands",
  { ownerKey }: AgendaRow,
): readonly Subject[] {
  return ownerKey === null ? [] : [{ kind, key: ownerKey }];
}
