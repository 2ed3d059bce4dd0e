/** FeaturedAppActivityMarker: activity of a featured app, to be turned into a reward coupon by the DSO. */
import { implement, implementInterface } from "../../../engine/template.ts";
import { decimal } from "../../../values/decimal.ts";
import { FeaturedAppActivityMarkerV1 } from "../../splice-api-featured-app-v1/featured-app-right.ts";
import { FeaturedAppActivityMarkerV2 } from "../../splice-api-featured-app-v2/featured-app-right.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";

export const LARGEST_WEIGHT = decimal("10000.0");

export const featuredAppActivityMarker = implement(FeaturedAppActivityMarker, {
  signatories: ({ dso }) => [dso],
  observers: ({ provider, beneficiary }) => [provider, beneficiary],
  ensure: ({ weight }) => weight > 0n && weight <= LARGEST_WEIGHT,
  interfaces: [
    implementInterface(FeaturedAppActivityMarker, FeaturedAppActivityMarkerV1, { view: (marker) => marker }),
    implementInterface(FeaturedAppActivityMarker, FeaturedAppActivityMarkerV2, { view: (marker) => marker }),
  ],
});
