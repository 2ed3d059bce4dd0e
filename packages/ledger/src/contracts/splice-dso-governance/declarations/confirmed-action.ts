/** Splice.DsoRules: the actions that need confirmations of a quorum of SVs. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import type { Choices } from "../../../engine/declaration.ts";
import { AmuletRules } from "../../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../../splice-amulet-name-service/declarations/ans.ts";
import { decidedChoices } from "./decided-choices.ts";

/** The choices that an action of each kind can be, by the names that actions have for them. */
export const AMULET_RULES_ACTIONS = {
  CRARC_MiningRound_StartIssuing: "AmuletRules_MiningRound_StartIssuing",
  CRARC_MiningRound_Archive: "AmuletRules_MiningRound_Archive",
  CRARC_AddFutureAmuletConfigSchedule: "AmuletRules_AddFutureAmuletConfigSchedule",
  CRARC_RemoveFutureAmuletConfigSchedule: "AmuletRules_RemoveFutureAmuletConfigSchedule",
  CRARC_UpdateFutureAmuletConfigSchedule: "AmuletRules_UpdateFutureAmuletConfigSchedule",
  CRARC_SetConfig: "AmuletRules_SetConfig",
} as const;

export const DSO_RULES_ACTIONS = {
  SRARC_AddSv: "DsoRules_AddSv",
  SRARC_OffboardSv: "DsoRules_OffboardSv",
  SRARC_ConfirmSvOnboarding: "DsoRules_ConfirmSvOnboarding",
  SRARC_GrantFeaturedAppRight: "DsoRules_GrantFeaturedAppRight",
  SRARC_RevokeFeaturedAppRight: "DsoRules_RevokeFeaturedAppRight",
  SRARC_SetConfig: "DsoRules_SetConfig",
  SRARC_UpdateSvRewardWeight: "DsoRules_UpdateSvRewardWeight",
  SRARC_CreateExternalPartyAmuletRules: "DsoRules_CreateExternalPartyAmuletRules",
  SRARC_CreateTransferCommandCounter: "DsoRules_CreateTransferCommandCounter",
  SRARC_CreateUnallocatedUnclaimedActivityRecord: "DsoRules_CreateUnallocatedUnclaimedActivityRecord",
  SRARC_CreateBootstrapExternalPartyConfigStateInstruction:
    "DsoRules_CreateBootstrapExternalPartyConfigStateInstruction",
} as const;

export const ANS_ENTRY_CONTEXT_ACTIONS = {
  ANSRARC_CollectInitialEntryPayment: "AnsEntryContext_CollectInitialEntryPayment",
  ANSRARC_RejectEntryInitialPayment: "AnsEntryContext_RejectEntryInitialPayment",
} as const;

export const AmuletRulesAction = variant(argumentsOf(AmuletRules.choices, AMULET_RULES_ACTIONS));
export type AmuletRulesAction = ValueOf<typeof AmuletRulesAction>;

export const DsoRulesAction = variant(argumentsOf(decidedChoices, DSO_RULES_ACTIONS));
export type DsoRulesAction = ValueOf<typeof DsoRulesAction>;

const AnsEntryContextAction = variant(argumentsOf(AnsEntryContext.choices, ANS_ENTRY_CONTEXT_ACTIONS));

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

/** Under each name of an action, the argument of its choice. */
function argumentsOf<C extends Choices, N extends { readonly [action: string]: keyof C }>(
  choices: C,
  names: N,
): { readonly [A in keyof N]: C[N[A]]["argument"] } {
  const entries = Object.entries(names).map(([action, choice]) => [action, choices[choice]?.argument]);
  return Object.fromEntries(entries) as { readonly [A in keyof N]: C[N[A]]["argument"] };
}
