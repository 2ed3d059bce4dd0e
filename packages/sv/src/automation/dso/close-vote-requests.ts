/** Votes of the SVs' people: one SV closes a request once its end is certain, and an accepted action takes effect. */
import { requiredConfirmations, type Time, VoteRequest } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";

export const closeVoteRequests = defineAutomation({
  name: "close-vote-requests",
  subjects: ["contract"],
  contracts: [VoteRequest],
  decide: ({ facts, rules, task }, { key: created }) => {
    const row = facts.findRow(VoteRequest, created);
    const request = row === null ? null : facts.read(VoteRequest, row);
    const names = rules.dsoRules.payload.svs.map(([, { name }]) => name);
    if (request === null || !isVoteDecided(request.payload, names, facts.now)) return [];
    const argument = { requestCid: request.contractId, amuletRulesCid: rules.amuletRulesCid };
    const key = `close ${request.contractId} ${rules.dsoRules.contractId}`;
    return [task(key, "DsoRules_CloseVoteRequest", argument)];
  },
});

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
  // An action without a meaning can be refused or run out, but never take effect.
  return yes >= required ? action.tag !== "ExtActionRequiringConformation" : isOver;
}
