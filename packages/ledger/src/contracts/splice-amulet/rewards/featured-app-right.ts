/**
 * FeaturedAppRight: the DSO lets an app's provider earn rewards. The DSO takes it back, the provider gives it up.
 * By the interfaces of the token standard the provider records activity that is not a transfer of coin.
 */
import { requireThat } from "../../../engine/failure.ts";
import { implement, implementInterface } from "../../../engine/template.ts";
import { ONE } from "../../../values/decimal.ts";
import { FeaturedAppRightV1 } from "../../splice-api-featured-app-v1/featured-app-right.ts";
import { FeaturedAppRightV2 } from "../../splice-api-featured-app-v2/featured-app-right.ts";
import { FeaturedAppRight } from "../declarations/amulet.ts";
import { createActivityMarkers, requireValidBeneficiaries } from "./app-rewards.ts";
import { LARGEST_WEIGHT } from "./featured-app-activity-marker.ts";

const version1 = implementInterface(FeaturedAppRight, FeaturedAppRightV1, {
  view: ({ dso, provider }) => ({ dso, provider }),
  choices: {
    FeaturedAppRight_CreateActivityMarker: {
      controllers: ({ provider }) => [provider],
      exercise: ({ update, contract: right, argument: { beneficiaries } }) => {
        requireValidBeneficiaries(beneficiaries);
        return { activityMarkerCids: createActivityMarkers(update, right, beneficiaries, ONE) };
      },
    },
  },
});

const version2 = implementInterface(FeaturedAppRight, FeaturedAppRightV2, {
  view: ({ dso, provider }) => ({ dso, provider }),
  choices: {
    FeaturedAppRight_CreateActivityMarker: {
      controllers: ({ provider }) => [provider],
      observers: ({ provider }, { beneficiaries }) => [
        provider,
        ...beneficiaries.map(({ beneficiary }) => beneficiary),
      ],
      exercise: ({ update, contract: right, argument }) => {
        const weight = argument.weight ?? ONE;
        requireValidBeneficiaries(argument.beneficiaries);
        requireThat("Weight >= 1.0", weight >= ONE);
        requireThat("Weight <= 10000.0", weight <= LARGEST_WEIGHT);
        return { activityMarkerCids: createActivityMarkers(update, right, argument.beneficiaries, weight) };
      },
    },
  },
});

export const featuredAppRight = implement(FeaturedAppRight, {
  signatories: ({ dso }) => [dso],
  observers: ({ provider }) => [provider],
  choices: {
    FeaturedAppRight_Withdraw: { controllers: ({ dso }) => [dso], exercise: () => ({}) },
    FeaturedAppRight_Cancel: { controllers: ({ provider }) => [provider], exercise: () => ({}) },
  },
  interfaces: [version1, version2],
});
