/** Requests of candidates that were not confirmed in time, and candidates that were confirmed and have not joined. */
import { SvOnboardingConfirmed, SvOnboardingRequest } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireSvOnboardings = expireAtItsTime("expire-sv-onboardings", [
  {
    template: SvOnboardingRequest,
    command: ({ exercise }, cid) => exercise("DsoRules_ExpireSvOnboardingRequest", { cid }),
  },
  {
    template: SvOnboardingConfirmed,
    command: ({ exercise }, cid) => exercise("DsoRules_ExpireSvOnboardingConfirmed", { cid }),
  },
]);
