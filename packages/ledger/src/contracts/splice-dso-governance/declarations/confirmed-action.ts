/** Splice.DsoRules: the actions that need confirmations of a quorum of SVs. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { AmuletRules } from "../../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../../splice-amulet-name-service/declarations/ans.ts";
import { decidedChoices } from "./decided-choices.ts";

const ofAmuletRules = AmuletRules.choices;

export const AmuletRulesAction = variant({
  CRARC_MiningRound_StartIssuing: ofAmuletRules.AmuletRules_MiningRound_StartIssuing.argument,
  CRARC_MiningRound_Archive: ofAmuletRules.AmuletRules_MiningRound_Archive.argument,
  CRARC_AddFutureAmuletConfigSchedule: ofAmuletRules.AmuletRules_AddFutureAmuletConfigSchedule.argument,
  CRARC_RemoveFutureAmuletConfigSchedule: ofAmuletRules.AmuletRules_RemoveFutureAmuletConfigSchedule.argument,
  CRARC_UpdateFutureAmuletConfigSchedule: ofAmuletRules.AmuletRules_UpdateFutureAmuletConfigSchedule.argument,
  CRARC_SetConfig: ofAmuletRules.AmuletRules_SetConfig.argument,
});
export type AmuletRulesAction = ValueOf<typeof AmuletRulesAction>;

export const DsoRulesAction = variant({
  SRARC_AddSv: decidedChoices.DsoRules_AddSv.argument,
  SRARC_OffboardSv: decidedChoices.DsoRules_OffboardSv.argument,
  SRARC_ConfirmSvOnboarding: decidedChoices.DsoRules_ConfirmSvOnboarding.argument,
  SRARC_GrantFeaturedAppRight: decidedChoices.DsoRules_GrantFeaturedAppRight.argument,
  SRARC_RevokeFeaturedAppRight: decidedChoices.DsoRules_RevokeFeaturedAppRight.argument,
  SRARC_SetConfig: decidedChoices.DsoRules_SetConfig.argument,
  SRARC_UpdateSvRewardWeight: decidedChoices.DsoRules_UpdateSvRewardWeight.argument,
  SRARC_CreateExternalPartyAmuletRules: decidedChoices.DsoRules_CreateExternalPartyAmuletRules.argument,
  SRARC_CreateTransferCommandCounter: decidedChoices.DsoRules_CreateTransferCommandCounter.argument,
  SRARC_CreateUnallocatedUnclaimedActivityRecord:
    decidedChoices.DsoRules_CreateUnallocatedUnclaimedActivityRecord.argument,
  SRARC_CreateBootstrapExternalPartyConfigStateInstruction:
    decidedChoices.DsoRules_CreateBootstrapExternalPartyConfigStateInstruction.argument,
});
export type DsoRulesAction = ValueOf<typeof DsoRulesAction>;

export const AnsEntryContextAction = variant({
  ANSRARC_CollectInitialEntryPayment:
    AnsEntryContext.choices.AnsEntryContext_CollectInitialEntryPayment.argument,
  ANSRARC_RejectEntryInitialPayment:
    AnsEntryContext.choices.AnsEntryContext_RejectEntryInitialPayment.argument,
});
export type AnsEntryContextAction = ValueOf<typeof AnsEntryContextAction>;

export const ActionRequiringConfirmation = variant({
  ARC_DsoRules: record({ dsoAction: DsoRulesAction }),
  ARC_AmuletRules: record({ amuletRulesAction: AmuletRulesAction }),
  ARC_AnsEntryContext: record({
    ansEntryContextCid: contractId,
    ansEntryContextAction: AnsEntryContextAction,
  }),
  ExtActionRequiringConformation: record({ dummyUnitField: unit }),
});
export type ActionRequiringConfirmation = ValueOf<typeof ActionRequiringConfirmation>;
