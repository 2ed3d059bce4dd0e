/** ExternalPartyAmuletRules: the anchor for parties whose keys are held outside a participant. */
import { implement } from "../../engine/template.ts";
import { ExternalPartyAmuletRules } from "./declarations/external-party-amulet-rules.ts";

export const externalPartyAmuletRules = implement(ExternalPartyAmuletRules, {
  signatories: ({ dso }) => [dso],
  choices: {},
});
