/** Splice.Amulet, the rewards: coupons to be minted in their round, and unclaimed rewards. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { Round } from "./round-number.ts";

const place = { package: amuletPackage, module: "Splice.Amulet" } as const;
const closedRound = { closedRoundCid: contractId } as const;

export const AppRewardCoupon = declareTemplate({
  ...place,
  entity: "AppRewardCoupon",
  fields: {
    dso: party,
    provider: party,
    featured: bool,
    amount: numeric,
    round: Round,
    beneficiary: optional(party),
  },
  choices: {
    AppRewardCoupon_DsoExpire: consuming(closedRound, record({ featured: bool, amount: numeric })),
  },
});
export type AppRewardCoupon = ValueOf<(typeof AppRewardCoupon)["record"]>;

export const ValidatorRewardCoupon = declareTemplate({
  ...place,
  entity: "ValidatorRewardCoupon",
  fields: { dso: party, user: party, amount: numeric, round: Round },
  choices: {
    ValidatorRewardCoupon_DsoExpire: consuming(closedRound, record({ amount: numeric })),
    ValidatorRewardCoupon_ArchiveAsValidator: consuming(
      { validator: party, rightCid: contractId },
      record({}),
    ),
  },
});
export type ValidatorRewardCoupon = ValueOf<(typeof ValidatorRewardCoupon)["record"]>;

export const SvRewardCoupon = declareTemplate({
  ...place,
  entity: "SvRewardCoupon",
  fields: { dso: party, sv: party, beneficiary: party, round: Round, weight: int64 },
  choices: {
    SvRewardCoupon_DsoExpire: consuming(closedRound, record({ weight: int64 })),
    SvRewardCoupon_ArchiveAsBeneficiary: consuming({}),
  },
});
export type SvRewardCoupon = ValueOf<(typeof SvRewardCoupon)["record"]>;

export const UnclaimedReward = declareTemplate({
  ...place,
  entity: "UnclaimedReward",
  fields: { dso: party, amount: numeric },
});
export type UnclaimedReward = ValueOf<(typeof UnclaimedReward)["record"]>;

export const UnclaimedActivityRecord = declareTemplate({
  ...place,
  entity: "UnclaimedActivityRecord",
  fields: { dso: party, beneficiary: party, amount: numeric, reason: text, expiresAt: time },
  choices: {
    UnclaimedActivityRecord_DsoExpire: consuming({}, record({ unclaimedRewardCid: contractId })),
  },
});
export type UnclaimedActivityRecord = ValueOf<(typeof UnclaimedActivityRecord)["record"]>;
