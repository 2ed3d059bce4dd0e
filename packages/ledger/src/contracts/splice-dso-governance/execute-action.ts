/**
 * What a confirmed action does, with the DSO's authority. Whether enough SVs confirmed it has been checked
 * before. A new action is a constructor of the variant and a case here; the compiler names what is missing.
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
} from "./declarations/confirmed-action.ts";

export function executeAction(
  update: Update,
  dso: PartyId,
  amuletRulesCid: ContractId | null,
  action: ActionRequiringConfirmation,
): void {
  switch (action.tag) {
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

function onAmuletRules(update: Update, amuletRulesCid: ContractId, action: AmuletRulesAction): void {
  switch (action.tag) {
    case "CRARC_SetConfig":
      update.exercise(AmuletRules, amuletRulesCid, "AmuletRules_SetConfig", action.value);
      return;
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
