/** Splice.Api.FeaturedAppRightV2: the same as version 1, and one marker may stand for several activities. */
import { list } from "../../daml/collections.ts";
import { optional } from "../../daml/optional.ts";
import { record } from "../../daml/record.ts";
import { contractId, numeric, party } from "../../daml/scalars.ts";
import { declareInterface, nonConsuming } from "../../engine/declaration.ts";
import { featuredAppV2Package } from "../packages.ts";

const place = { package: featuredAppV2Package, module: "Splice.Api.FeaturedAppRightV2" } as const;

export const FeaturedAppRightV2 = declareInterface({
  ...place,
  entity: "FeaturedAppRight",
  view: record({ dso: party, provider: party }),
  choices: {
    FeaturedAppRight_CreateActivityMarker: nonConsuming(
      {
        beneficiaries: list(record({ beneficiary: party, weight: numeric })),
        weight: optional(numeric),
      },
      record({ activityMarkerCids: list(contractId) }),
    ),
  },
});

export const FeaturedAppActivityMarkerV2 = declareInterface({
  ...place,
  entity: "FeaturedAppActivityMarker",
  view: record({ dso: party, provider: party, beneficiary: party, weight: numeric }),
});
