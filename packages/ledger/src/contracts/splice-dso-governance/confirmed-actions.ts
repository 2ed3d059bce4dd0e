/** Actions as SVs confirm them and vote on them. */
import type {
  ActionRequiringConfirmation,
  AmuletRulesAction,
  DsoRulesAction,
} from "./declarations/confirmed-action.ts";

export function onAmuletRules(amuletRulesAction: AmuletRulesAction): ActionRequiringConfirmation {
  return { tag: "ARC_AmuletRules", value: { amuletRulesAction } };
}

export function onDsoRules(dsoAction: DsoRulesAction): ActionRequiringConfirmation {
  return { tag: "ARC_DsoRules", value: { dsoAction } };
}
