/** FeaturedAppRight: the DSO lets an app's provider earn rewards. The DSO takes it back, the provider gives it up. */
import { implement } from "../../engine/template.ts";
import { FeaturedAppRight } from "./declarations/amulet.ts";

export const featuredAppRight = implement(FeaturedAppRight, {
  signatories: ({ dso }) => [dso],
  observers: ({ provider }) => [provider],
  choices: {
    FeaturedAppRight_Withdraw: { controllers: ({ dso }) => [dso], exercise: () => ({}) },
    FeaturedAppRight_Cancel: { controllers: ({ provider }) => [provider], exercise: () => ({}) },
  },
});
