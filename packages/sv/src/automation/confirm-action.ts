/** An action that needs a quorum: each SV confirms what it has decided, and once enough agree one of them executes. */
import {
  ActionRequiringConfirmation,
  Confirmation,
  type ContractId,
  type Hash,
  type PartyId,
  requiredConfirmations,
} from "@callsign/ledger";
import { confirmationKey } from "../agenda/agenda-row.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, LedgerFacts, Rules } from "./ledger-facts.ts";
import type { Automation, Task } from "./task.ts";

/** An SV confirms an action once, and again when that has lapsed. */
const CONFIRMATIONS_OF_SV = 100;

/** With a quorum one SV executes; until then as many as it takes confirm, each once. */
export function confirmOrExecute(
  { facts, rules, sv, hash }: Deciding,
  automation: Automation,
  action: ActionRequiringConfirmation,
): Task | null {
  const text = ActionRequiringConfirmation.encode(action);
  const key = hash(text);
  const confirmations = listConfirmations(facts, rules, text, hash);
  const enough = requiredConfirmations(rules.svs.length);
  if (confirmations.size >= enough) {
    const { amuletRulesCid } = rules;
    const confirmationCids = [...confirmations.values()];
    const argument = { action, amuletRulesCid, confirmationCids };
    const command = exerciseDsoRules(rules, sv, "DsoRules_ExecuteConfirmedAction", argument);
    return { automation, key: `execute ${key}`, commands: [command], enough: 1 };
  }
  if (confirmations.has(sv)) return null;
  const command = exerciseDsoRules(rules, sv, "DsoRules_ConfirmAction", { confirmer: sv, action });
  return { automation, key: `confirm ${key}`, commands: [command], enough };
}

/** Those that count: one for each SV, none that has lapsed, all for exactly this action. */
function listConfirmations(
  facts: LedgerFacts,
  { svs }: Rules,
  actionText: string,
  hash: Hash,
): ReadonlyMap<PartyId, ContractId> {
  const found = new Map<PartyId, ContractId>();
  for (const sv of svs) {
    const key = confirmationKey(hash, actionText, sv);
    const valid = facts.list(Confirmation, key, CONFIRMATIONS_OF_SV).find(({ payload }) => {
      const { confirmer, expiresAt, action } = payload;
      const lasts = expiresAt > facts.now;
      return lasts && confirmer === sv && ActionRequiringConfirmation.encode(action) === actionText;
    });
    if (valid !== undefined) found.set(sv, valid.contractId);
  }
  return found;
}
