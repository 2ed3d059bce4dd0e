/** FeaturedAppActivityMarker: activity of a featured app, to be turned into a reward coupon by the DSO. */
import { implement } from "../../engine/template.ts";
import { decimal } from "../../values/decimal.ts";
import { FeaturedAppActivityMarker } from "./declarations/amulet.ts";

const LARGEST_WEIGHT = decimal("10000.0");

export const featuredAppActivityMarker = implement(FeaturedAppActivityMarker, {
  signatories: ({ dso }) => [dso],
  observers: ({ provider, beneficiary }) => [provider, beneficiary],
  ensure: ({ weight }) => weight > 0n && weight <= LARGEST_WEIGHT,
  choices: {},
});
