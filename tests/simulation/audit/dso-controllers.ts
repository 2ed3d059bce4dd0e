/** The controllers of each choice of the SVs' rules (section 2.8 of the model). */

import { DsoBootstrap } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import {
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-onboarding.ts";
import { Confirmation, DsoRules } from "../../../packages/ledger/src/index.ts";
import { everyChoice, given, of, rows } from "./controller-rows.ts";

const dso = of("dso");

export const dsoControllers = [
  rows(DsoBootstrap, { DsoBootstrap_Bootstrap: dso }),
  rows(SvOnboardingRequest, { SvOnboardingRequest_Expire: dso }),
  rows(SvOnboardingConfirmed, { SvOnboardingConfirmed_Expire: dso }),
  rows(Confirmation, { Confirmation_Expire: dso }),
  everyChoice(DsoRules, given("sv"), {
    DsoRules_AddSv: dso,
    DsoRules_OffboardSv: dso,
    DsoRules_GrantFeaturedAppRight: dso,
    DsoRules_RevokeFeaturedAppRight: dso,
    DsoRules_SetConfig: dso,
    DsoRules_UpdateSvRewardWeight: dso,
    DsoRules_CreateExternalPartyAmuletRules: dso,
    DsoRules_CreateUnallocatedUnclaimedActivityRecord: dso,
    DsoRules_CreateTransferCommandCounter: dso,
    DsoRules_CreateBootstrapExternalPartyConfigStateInstruction: dso,
    DsoRules_RequestElection: given("requester"),
    DsoRules_ElectDsoDelegate: given("actor"),
    DsoRules_ConfirmSvOnboarding: dso,
    DsoRules_StartSvOnboarding: given("sponsor"),
    DsoRules_ConfirmAction: given("confirmer"),
    DsoRules_RequestVote: given("requester"),
    DsoRules_CastVote: (_rules, { vote }) => [vote.sv],
    DsoRules_OnboardValidator: given("sponsor"),
  }),
] as const;
