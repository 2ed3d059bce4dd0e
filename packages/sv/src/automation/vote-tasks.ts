/** Votes of the SVs' people: one SV closes a request once its end is certain, and an accepted action takes effect. */
import { requiredConfirmations, type Time, VoteRequest } from "@callsign/ledger";
import type { AgendaRow } from "../agenda/agenda-rows.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

export function closeVoteRequest({ facts, rules, sv }: Deciding, row: AgendaRow): Task | null {
  const request = facts.read(VoteRequest, row);
  const names = rules.dsoRules.payload.svs.map(([, { name }]) => name);
  if (request === null || !isVoteDecided(request.payload, names, facts.now)) return null;
  const argument = { requestCid: row.contractId, amuletRulesCid: rules.amuletRulesCid };
  const command = exerciseDsoRules(rules, sv, "DsoRules_CloseVoteRequest", argument);
  const key = `close ${row.contractId} ${rules.dsoRules.contractId}`;
  return { automation: "close-vote-requests", key, commands: [command], enough: 1 };
}

/**
 * A quorum against it always ends a vote. Without a date a quorum for it does too, and else the end of the voting
 * period. With a date, too few votes end it when the period is over, and otherwise the date does.
 */
export function isVoteDecided(
  { votes, voteBefore, targetEffectiveAt, action }: VoteRequest,
  svNames: readonly string[],
  now: Time,
): boolean {
  const ofMembers = votes.filter(([voter]) => svNames.includes(voter));
  const yes = ofMembers.filter(([, { accept }]) => accept).length;
  const required = requiredConfirmations(svNames.length);
  if (ofMembers.length - yes >= required) return true;
  const isOver = now >= voteBefore;
  if (targetEffectiveAt !== null) {
    return now >= targetEffectiveAt || (isOver && ofMembers.length < required);
  }
  // What has no meaning can be refused or run out, but never take effect.
  return yes >= required ? action.tag !== "ExtActionRequiringConformation" : isOver;
}
