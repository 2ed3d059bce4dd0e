import type { LoadedPackage } from "../../engine/catalogue.ts";
import { dsoGovernancePackage } from "../packages.ts";
import { unallocatedUnclaimedActivityRecord } from "./activity-record-choices.ts";
import { amuletPriceVote } from "./amulet-price-vote.ts";
import { confirmation } from "./confirmation.ts";
import { dsoBootstrap } from "./dso-bootstrap.ts";
import { dsoRules } from "./dso-rules.ts";
import { bootstrapExternalPartyConfigStateInstruction, electionRequest } from "./single-signer-contracts.ts";
import { svOnboardingConfirmed, svOnboardingRequest } from "./sv-onboarding.ts";
import { svNodeState, svRewardState, svStatusReport } from "./sv-state.ts";
import { voteRequest } from "./vote-choices.ts";

export const dsoGovernance: LoadedPackage = {
  package: dsoGovernancePackage,
  templates: [
    dsoRules,
    dsoBootstrap,
    confirmation,
    amuletPriceVote,
    svRewardState,
    svNodeState,
    svStatusReport,
    unallocatedUnclaimedActivityRecord,
    voteRequest,
    bootstrapExternalPartyConfigStateInstruction,
    electionRequest,
    svOnboardingRequest,
    svOnboardingConfirmed,
  ],
  interfaces: [],
};
