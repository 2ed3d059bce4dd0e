/** What is to be done about a contract that has had its time: an ended subscription, a lapsed one, an expired entry, … */
import {
  AnsEntry,
  Confirmation,
  type ContractId,
  isExpirable,
  SubscriptionIdleState,
  TerminatedSubscription,
  VoteRequest,
} from "@callsign/ledger";
import type { AgendaRow } from "../agenda/agenda-rows.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import { expireContract } from "./expiry-tasks.ts";
import type { Deciding, LedgerFacts } from "./ledger-facts.ts";
import type { Task } from "./task.ts";
import { closeVoteRequest } from "./vote-tasks.ts";

export function listContractTasks(deciding: Deciding, created: bigint): readonly Task[] {
  const row = deciding.facts.agenda.rows.find(created);
  const task = row === null ? null : findTask(deciding, row);
  return task === null ? [] : [task];
}

function findTask(deciding: Deciding, row: AgendaRow): Task | null {
  switch (row.template) {
    case TerminatedSubscription:
      return endSubscription(deciding, row);
    case SubscriptionIdleState:
      return expireSubscription(deciding, row);
    case AnsEntry:
      return expireEntry(deciding, row);
    case Confirmation:
      return expireConfirmation(deciding, row);
    case VoteRequest:
      return closeVoteRequest(deciding, row);
    default:
      return expireContract(deciding, row);
  }
}

/** A tombstone goes together with the context it ends. Without a context there is nothing to end. */
function endSubscription({ facts, rules, sv }: Deciding, row: AgendaRow): Task | null {
  const terminated = facts.read(TerminatedSubscription, row);
  const context = terminated === null ? null : findContextCid(facts, terminated.payload.reference);
  if (context === null) return null;
  const argument = { ansEntryContextCid: context, terminatedSubscriptionCid: row.contractId };
  const command = exerciseDsoRules(rules, sv, "DsoRules_TerminateSubscription", argument);
  return {
    automation: "end-subscriptions",
    key: `terminate ${row.contractId}`,
    commands: [command],
    enough: 1,
  };
}

function expireSubscription({ facts, rules, sv }: Deciding, row: AgendaRow): Task | null {
  const idle = facts.read(SubscriptionIdleState, row);
  if (idle === null || !isExpirable({ expiresAt: idle.payload.nextPaymentDueAt, now: facts.now }))
    return null;
  const context = findContextCid(facts, idle.payload.reference);
  if (context === null) return null;
  const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireSubscription", {
    ansEntryContextCid: context,
    subscriptionIdleStateCid: row.contractId,
    choiceArg: { actor: rules.dso },
  });
  return {
    automation: "expire-subscriptions",
    key: `expire ${row.contractId}`,
    commands: [command],
    enough: 1,
  };
}

function expireEntry({ facts, rules, sv }: Deciding, row: AgendaRow): Task | null {
  const entry = facts.read(AnsEntry, row);
  if (entry === null || !isExpirable({ expiresAt: entry.payload.expiresAt, now: facts.now })) return null;
  const argument = { ansEntryCid: row.contractId, choiceArg: { actor: rules.dso } };
  const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireAnsEntry", argument);
  return { automation: "expire-entries", key: `expire ${row.contractId}`, commands: [command], enough: 1 };
}

function expireConfirmation({ facts, rules, sv }: Deciding, row: AgendaRow): Task | null {
  const confirmation = facts.read(Confirmation, row);
  if (confirmation === null || confirmation.payload.expiresAt > facts.now) return null;
  const argument = { staleConfirmationCid: row.contractId };
  const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireStaleConfirmation", argument);
  return {
    automation: "expire-confirmations",
    key: `expire ${row.contractId}`,
    commands: [command],
    enough: 1,
  };
}

function findContextCid(facts: LedgerFacts, reference: ContractId): ContractId | null {
  return facts.agenda.findContext(facts.contracts, reference)?.cid ?? null;
}
