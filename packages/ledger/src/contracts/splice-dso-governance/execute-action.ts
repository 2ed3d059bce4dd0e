/**
 * Executes a confirmed action with the DSO's authority. The caller has checked that enough SVs confirmed
 * it. A new action is a constructor of the variant and a case here; the compiler names a missing one.
 */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import type {
  ActionRequiringConfirmation,
  AmuletRulesAction,
  AnsEntryContextAction,
  DsoRulesAction,
} from "./declarations/confirmed-action.ts";
import { DsoRules } from "./declarations/dso-rules.ts";

interface Rules {
  readonly dso: PartyId;
  readonly dsoRulesCid: ContractId;
  readonly amuletRulesCid: ContractId | null;
}

export function executeAction(
  update: Update,
  { dso, dsoRulesCid, amuletRulesCid }: Rules,
  action: ActionRequiringConfirmation,
): void {
  switch (action.tag) {
    case "ARC_DsoRules": {
      fetchChecked(update, DsoRules, dsoRulesCid, forDso(dso));
      onDsoRules(update, dsoRulesCid, action.value.dsoAction);
      return;
    }
    case "ARC_AmuletRules": {
      if (amuletRulesCid === null) abort("amuletRulesCid was not defined.");
      fetchChecked(update, AmuletRules, amuletRulesCid, forDso(dso));
      onAmuletRules(update, amuletRulesCid, action.value.amuletRulesAction);
      return;
    }
    case "ARC_AnsEntryContext": {
      const { ansEntryContextCid, ansEntryContextAction } = action.value;
      fetchChecked(update, AnsEntryContext, ansEntryContextCid, forDso(dso));
      onAnsEntryContext(update, ansEntryContextCid, ansEntryContextAction);
      return;
    }
    case "ExtActionRequiringConformation":
      // Splice's place for later actions: it can be confirmed, and does nothing.
      return;
  }
}

function onDsoRules(update: Update, dsoRulesCid: ContractId, action: DsoRulesAction): void {
  switch (action.tag) {
    case "SRARC_AddSv": {
      const choice = "DsoRules_AddSv";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_OffboardSv": {
      const choice = "DsoRules_OffboardSv";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_ConfirmSvOnboarding": {
      const choice = "DsoRules_ConfirmSvOnboarding";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_GrantFeaturedAppRight": {
      const choice = "DsoRules_GrantFeaturedAppRight";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_RevokeFeaturedAppRight": {
      const choice = "DsoRules_RevokeFeaturedAppRight";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_SetConfig": {
      const choice = "DsoRules_SetConfig";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_UpdateSvRewardWeight": {
      const choice = "DsoRules_UpdateSvRewardWeight";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_CreateExternalPartyAmuletRules": {
      const choice = "DsoRules_CreateExternalPartyAmuletRules";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_CreateTransferCommandCounter": {
      const choice = "DsoRules_CreateTransferCommandCounter";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_CreateBootstrapExternalPartyConfigStateInstruction": {
      const choice = "DsoRules_CreateBootstrapExternalPartyConfigStateInstruction";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
    case "SRARC_CreateUnallocatedUnclaimedActivityRecord": {
      const choice = "DsoRules_CreateUnallocatedUnclaimedActivityRecord";
      update.exercise(DsoRules, dsoRulesCid, choice, action.value);
      return;
    }
  }
}

function onAmuletRules(update: Update, amuletRulesCid: ContractId, action: AmuletRulesAction): void {
  switch (action.tag) {
    case "CRARC_MiningRound_StartIssuing": {
      const choice = "AmuletRules_MiningRound_StartIssuing";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
    case "CRARC_MiningRound_Archive": {
      const choice = "AmuletRules_MiningRound_Archive";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
    case "CRARC_AddFutureAmuletConfigSchedule": {
      const choice = "AmuletRules_AddFutureAmuletConfigSchedule";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
    case "CRARC_RemoveFutureAmuletConfigSchedule": {
      const choice = "AmuletRules_RemoveFutureAmuletConfigSchedule";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
    case "CRARC_UpdateFutureAmuletConfigSchedule": {
      const choice = "AmuletRules_UpdateFutureAmuletConfigSchedule";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
    case "CRARC_SetConfig": {
      const choice = "AmuletRules_SetConfig";
      update.exercise(AmuletRules, amuletRulesCid, choice, action.value);
      return;
    }
  }
}

function onAnsEntryContext(update: Update, contextCid: ContractId, action: AnsEntryContextAction): void {
  switch (action.tag) {
    case "ANSRARC_CollectInitialEntryPayment": {
      const choice = "AnsEntryContext_CollectInitialEntryPayment";
      update.exercise(AnsEntryContext, contextCid, choice, action.value);
      return;
    }
    case "ANSRARC_RejectEntryInitialPayment": {
      const choice = "AnsEntryContext_RejectEntryInitialPayment";
      update.exercise(AnsEntryContext, contextCid, choice, action.value);
      return;
    }
  }
}
