/** Splice.Api.FeaturedAppRightV1: a featured app records its activity, for any coin. */
import { list } from "../../daml/collections.ts";
import type { ValueOf } from "../../daml/daml-type.ts";
import { record } from "../../daml/record.ts";
import { contractId, numeric, party } from "../../daml/scalars.ts";
import { declareInterface, nonConsuming } from "../../engine/declaration.ts";
import { featuredAppV1Package } from "../packages.ts";

const place = { package: featuredAppV1Package, module: "Splice.Api.FeaturedAppRightV1" } as const;

/** A party's share of a reward: a weight above 0, up to 1. */
export const AppRewardBeneficiary = record("AppRewardBeneficiary", { beneficiary: party, weight: numeric });
export type AppRewardBeneficiary = ValueOf<typeof AppRewardBeneficiary>;

export const FeaturedAppRightV1 = declareInterface({
  ...place,
  entity: "FeaturedAppRight",
  view: record({ dso: party, provider: party }),
  choices: {
    FeaturedAppRight_CreateActivityMarker: nonConsuming(
      { beneficiaries: list(AppRewardBeneficiary) },
      record({ activityMarkerCids: list(contractId) }),
    ),
  },
});

export const FeaturedAppActivityMarkerV1 = declareInterface({
  ...place,
  entity: "FeaturedAppActivityMarker",
  view: record({ dso: party, provider: party, beneficiary: party, weight: numeric }),
});
