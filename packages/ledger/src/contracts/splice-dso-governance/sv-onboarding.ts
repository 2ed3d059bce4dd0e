/** Requests and confirmations of new SVs: the DSO's, and the candidate sees them. They lapse. */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { SvOnboardingConfirmed, SvOnboardingRequest } from "./declarations/sv-onboarding.ts";

export const svOnboardingRequest = implement(SvOnboardingRequest, {
  signatories: ({ dso }) => [dso],
  observers: ({ candidateParty }) => [candidateParty],
  choices: {
    SvOnboardingRequest_Expire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: { expiresAt } }) => {
        requireThat("Onboarding has expired", update.now >= expiresAt);
        return {};
      },
    },
  },
});

export const svOnboardingConfirmed = implement(SvOnboardingConfirmed, {
  signatories: ({ dso }) => [dso],
  observers: ({ svParty }) => [svParty],
  choices: {
    SvOnboardingConfirmed_Expire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: { expiresAt } }) => {
        requireThat("SV candidate confirmation has expired", update.now >= expiresAt);
        return {};
      },
    },
  },
});
