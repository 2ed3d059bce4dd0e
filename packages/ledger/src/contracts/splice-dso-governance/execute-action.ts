/**
 * Executes a confirmed action with the DSO's authority. The caller has checked that enough SVs confirmed
 * it. A new action is a row of a table in `declarations/confirmed-action.ts`.
 */
import type { AnyTemplateDeclaration } from "../../engine/declaration.ts";
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import {
  type ActionRequiringConfirmation,
  AMULET_RULES_ACTIONS,
  ANS_ENTRY_CONTEXT_ACTIONS,
  DSO_RULES_ACTIONS,
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
  // The argument has the type that the choice takes: an action's tag and value come from one row of a table.
  const exercise = (template: AnyTemplateDeclaration, cid: ContractId, choice: string, argument: unknown) =>
    update.exercise(template, cid, choice, argument);
  switch (action.tag) {
    case "ARC_DsoRules": {
      const { tag, value } = action.value.dsoAction;
      fetchChecked(update, DsoRules, dsoRulesCid, forDso(dso));
      exercise(DsoRules, dsoRulesCid, DSO_RULES_ACTIONS[tag], value);
      return;
    }
    case "ARC_AmuletRules": {
      if (amuletRulesCid === null) abort("amuletRulesCid was not defined.");
      const { tag, value } = action.value.amuletRulesAction;
      fetchChecked(update, AmuletRules, amuletRulesCid, forDso(dso));
      exercise(AmuletRules, amuletRulesCid, AMULET_RULES_ACTIONS[tag], value);
      return;
    }
    case "ARC_AnsEntryContext": {
      const { ansEntryContextCid, ansEntryContextAction } = action.value;
      const { tag, value } = ansEntryContextAction;
      fetchChecked(update, AnsEntryContext, ansEntryContextCid, forDso(dso));
      exercise(AnsEntryContext, ansEntryContextCid, ANS_ENTRY_CONTEXT_ACTIONS[tag], value);
      return;
    }
    case "ExtActionRequiringConformation":
      // Splice's place for later actions: it can be confirmed, and does nothing.
      return;
  }
}
