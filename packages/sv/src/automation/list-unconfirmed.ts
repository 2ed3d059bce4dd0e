/** What this SV has confirmed and others have not yet: it waits for their confirmations. */
import {
  ActionRequiringConfirmation,
  Confirmation,
  type Hash,
  type PartyId,
  TransferCommandCounter,
} from "@callsign/ledger";
import type { AutomationWait } from "@callsign/node";
import { textKey } from "../agenda/agenda-row.ts";
import type { LedgerFacts } from "./ledger-facts.ts";
import type { Automation } from "./task.ts";

/** More are not read: confirmations go when their action is executed, or lapse. */
const CONFIRMATIONS = 1000;
/** A sender has one. */
const COUNTERS = 10;

export function listUnconfirmed(
  facts: LedgerFacts,
  hash: Hash,
  sv: PartyId,
): ReadonlyMap<Automation, readonly AutomationWait[]> {
  const waits = new Map<Automation, AutomationWait[]>();
  for (const row of facts.agenda.rows.listOf(Confirmation, CONFIRMATIONS)) {
    const confirmation = facts.read(Confirmation, row);
    if (confirmation?.payload.confirmer !== sv || confirmation.payload.expiresAt <= facts.now) continue;
    const { action } = confirmation.payload;
    const automation = automationOf(facts, hash, action);
    if (automation === null) continue;
    const wait = { task: `confirm ${ActionRequiringConfirmation.encode(action)}` };
    const its = waits.get(automation) ?? [];
    its.push({ ...wait, for: "confirmations", reason: null });
    waits.set(automation, its);
  }
  return waits;
}

/** Null if the action is not an automation's, or can no longer be executed: what it acts on is gone. */
function automationOf(
  facts: LedgerFacts,
  hash: Hash,
  action: ActionRequiringConfirmation,
): Automation | null {
  if (action.tag === "ARC_AnsEntryContext") {
    const { paymentCid } = action.value.ansEntryContextAction.value;
    return facts.exists(paymentCid) ? "decide-first-payments" : null;
  }
  if (action.tag === "ARC_DsoRules") {
    const { tag, value } = action.value.dsoAction;
    if (tag !== "SRARC_CreateTransferCommandCounter") return null;
    const counters = facts.list(TransferCommandCounter, textKey(hash, value.sender), COUNTERS);
    const isCounted = counters.some(({ payload }) => payload.sender === value.sender);
    return isCounted ? null : "create-command-counters";
  }
  if (action.tag !== "ARC_AmuletRules") return null;
  const { tag, value } = action.value.amuletRulesAction;
  if (tag === "CRARC_MiningRound_StartIssuing")
    return facts.exists(value.miningRoundCid) ? "summarize-rounds" : null;
  if (tag === "CRARC_MiningRound_Archive")
    return facts.exists(value.closedRoundCid) ? "archive-rounds" : null;
  return null;
}
