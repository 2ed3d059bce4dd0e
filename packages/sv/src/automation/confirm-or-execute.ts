/** An action that needs a quorum: each SV confirms what it has decided, and once enough agree one of them executes. */
import {
  type ActionRequiringConfirmation,
  Confirmation,
  type ContractId,
  type PartyId,
  requiredConfirmations,
} from "@callsign/ledger";
import { actionText } from "../kinds/action-text.ts";
import { confirmationKey } from "../kinds/keys.ts";
import { FEW } from "../limits/limits.ts";
import type { DecidedTask, Deciding } from "./dso-automation.ts";

/** With a quorum one SV executes; until then as many as it takes confirm, each once. */
export function confirmOrExecute(
  deciding: Deciding,
  action: ActionRequiringConfirmation,
): readonly DecidedTask[] {
  const { rules, sv, hash, task } = deciding;
  const text = actionText(action);
  const key = hash(text);
  const confirmations = listConfirmations(deciding, text);
  const required = requiredConfirmations(rules.svs.length);
  if (confirmations.size >= required) {
    const { amuletRulesCid } = rules;
    const confirmationCids = [...confirmations.values()];
    const argument = { action, amuletRulesCid, confirmationCids };
    return [task(`execute ${key}`, "DsoRules_ExecuteConfirmedAction", argument)];
  }
  if (confirmations.has(sv)) return [];
  return [task(`confirm ${key}`, "DsoRules_ConfirmAction", { confirmer: sv, action }, required)];
}

/** Confirmations that count: one for each SV, none that has lapsed, all for exactly this action. */
function listConfirmations(
  { facts, rules, hash }: Deciding,
  wanted: string,
): ReadonlyMap<PartyId, ContractId> {
  const found = new Map<PartyId, ContractId>();
  for (const sv of rules.svs) {
    const key = confirmationKey(hash, wanted, sv);
    const valid = facts.listBy(Confirmation, "confirmationKey", key, FEW).find(({ payload }) => {
      const { confirmer, expiresAt, action } = payload;
      const lasts = expiresAt > facts.now;
      return lasts && confirmer === sv && actionText(action) === wanted;
    });
    if (valid !== undefined) found.set(sv, valid.contractId);
  }
  return found;
}
