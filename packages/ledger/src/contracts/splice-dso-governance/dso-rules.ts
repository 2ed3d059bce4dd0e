/**
 * DsoRules: who the SVs are and what they may do in the DSO's name. The DSO signs it, an SV acts by naming
 * itself, and each group of choices has a file of its own. What the SVs have to agree on goes through
 * confirmations; what the contracts can check by themselves any single SV may do.
 */
import { implement } from "../../engine/template.ts";
import { activityRecordChoices } from "./activity-record-choices.ts";
import { coinChoices } from "./coin-choices.ts";
import { confirmationChoices } from "./confirmation-choices.ts";
import { decidedChoices } from "./decided-choices.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { memberChoices } from "./member-choices.ts";
import { nameChoices } from "./name-choices.ts";
import { nodeChoices } from "./node-choices.ts";
import { onboardingChoices } from "./onboarding-choices.ts";
import { priceChoices } from "./price-choices.ts";
import { retiredChoices } from "./retired-choices.ts";
import { rewardChoices } from "./reward-choices.ts";
import { unclaimedRewardChoices } from "./unclaimed-reward-choices.ts";
import { upkeepChoices } from "./upkeep-choices.ts";
import { validatorChoices } from "./validator-choices.ts";
import { voteChoices } from "./vote-choices.ts";

export const dsoRules = implement(DsoRules, {
  signatories: ({ dso }) => [dso],
  ensure: ({ config }) => config.numUnclaimedRewardsThreshold > 0n,
  choices: {
    ...memberChoices,
    ...decidedChoices,
    ...confirmationChoices,
    ...voteChoices,
    ...priceChoices,
    ...rewardChoices,
    ...unclaimedRewardChoices,
    ...activityRecordChoices,
    ...validatorChoices,
    ...nameChoices,
    ...coinChoices,
    ...upkeepChoices,
    ...retiredChoices,
    ...onboardingChoices,
    ...nodeChoices,
  },
});
