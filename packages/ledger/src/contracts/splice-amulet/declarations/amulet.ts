/** Splice.Amulet: the coin, the locked coin, and the rights around them. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { ExpiringAmount, TimeLock } from "./fees.ts";
import { Round } from "./round-number.ts";

const place = { package: amuletPackage, module: "Splice.Amulet" } as const;

export const AmuletCreateSummary = record({ amulet: contractId, amuletPrice: numeric, round: Round });
export type AmuletCreateSummary = ValueOf<typeof AmuletCreateSummary>;

export const AmuletExpireSummary = record({
  owner: party,
  round: Round,
  changeToInitialAmountAsOfRoundZero: numeric,
  changeToHoldingFeesRate: numeric,
});
export const AmuletExpireV2Summary = record({ owner: party });

const ExpireResult = record({ expireSum: AmuletExpireSummary, meta: optional(Metadata) });
const ExpireV2Result = record({ expireSum: AmuletExpireV2Summary, meta: Metadata });
const UnlockResult = record({ amuletSum: AmuletCreateSummary, meta: optional(Metadata) });
const UnlockV2Result = record({ amuletCid: contractId, meta: Metadata });
const twoConfigStates = {
  externalPartyConfigState0Cid: contractId,
  externalPartyConfigState1Cid: contractId,
} as const;

const amuletFields = { dso: party, owner: party, amount: ExpiringAmount } as const;

export const Amulet = declareTemplate({
  ...place,
  entity: "Amulet",
  fields: amuletFields,
  choices: {
    Amulet_Expire: consuming({ roundCid: contractId }, ExpireResult),
    Amulet_ExpireV2: consuming(twoConfigStates, ExpireV2Result),
  },
});
export type Amulet = ValueOf<(typeof Amulet)["record"]>;

export const LockedAmulet = declareTemplate({
  ...place,
  entity: "LockedAmulet",
  fields: { amulet: record("Amulet", amuletFields), lock: TimeLock },
  choices: {
    LockedAmulet_Unlock: consuming({ openRoundCid: contractId }, UnlockResult),
    LockedAmulet_UnlockV2: consuming({}, UnlockV2Result),
    LockedAmulet_OwnerExpireLock: consuming({ openRoundCid: contractId }, UnlockResult),
    LockedAmulet_OwnerExpireLockV2: consuming({}, UnlockV2Result),
    LockedAmulet_ExpireAmulet: consuming({ roundCid: contractId }, ExpireResult),
    LockedAmulet_ExpireAmuletV2: consuming(twoConfigStates, ExpireV2Result),
  },
});
export type LockedAmulet = ValueOf<(typeof LockedAmulet)["record"]>;

export const ValidatorRight = declareTemplate({
  ...place,
  entity: "ValidatorRight",
  fields: { dso: party, user: party, validator: party },
  choices: {
    ValidatorRight_ArchiveAsValidator: consuming({}),
    ValidatorRight_ArchiveAsUser: consuming({}),
  },
});

export const FeaturedAppRight = declareTemplate({
  ...place,
  entity: "FeaturedAppRight",
  fields: { dso: party, provider: party },
  choices: {
    FeaturedAppRight_Withdraw: consuming({ reason: text }),
    FeaturedAppRight_Cancel: consuming({}),
  },
});

export const FeaturedAppActivityMarker = declareTemplate({
  ...place,
  entity: "FeaturedAppActivityMarker",
  fields: { dso: party, provider: party, beneficiary: party, weight: numeric },
});
export type FeaturedAppActivityMarker = ValueOf<(typeof FeaturedAppActivityMarker)["record"]>;
