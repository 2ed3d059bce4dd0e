/**
 * Votes of people: an SV asks for a vote on an action, SVs vote and may change their minds, any SV closes the
 * vote once its end is certain. As many as confirm an action have to agree to it, or to refuse it. A request
 * with a date takes effect then, if a quorum is still for it; one without, as soon as a quorum is.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import { implement, type SomeChoiceRules } from "../../engine/template.ts";
import { requiredConfirmations } from "../../values/required-confirmations.ts";
import { codePointLength } from "../../values/text.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../checks/deadline.ts";
import { decideVote } from "./decide-vote.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import type { DsoRulesConfig } from "./declarations/dso-rules-config.ts";
import { type Reason, VoteRequest, type VoteRequestOutcome } from "./declarations/vote-request.ts";
import { executeAction } from "./execute-action.ts";
import { withKey } from "./keyed-map.ts";
import { byMember, svInfo } from "./members.ts";
import { voteCooldown } from "./sv-contracts.ts";

export const voteRequest = implement(VoteRequest, {
  signatories: ({ dso }) => [dso],
  ensure: ({ voteBefore, targetEffectiveAt }) =>
    targetEffectiveAt === null || voteBefore <= targetEffectiveAt,
});

export const voteChoices = {
  DsoRules_RequestVote: {
    controllers: (_rules, { requester }) => [requester],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso, config } = rules;
      const { requester: sv, action, reason, targetEffectiveAt } = argument;
      const requester = (svInfo(rules, sv) ?? abort("Requester is not an SV")).name;
      requireWellformed(config, reason);
      const timeout = argument.voteRequestTimeout ?? config.voteRequestTimeout;
      const voteBefore = addDuration(update.now, timeout.microseconds);
      requireThat("There is some time to vote", update.now < voteBefore);
      const own = {
        sv,
        accept: true,
        reason: { url: "", body: "I accept, as I requested the vote." },
        optCastAt: update.now,
      };
      const request = { dso, requester, action, reason, voteBefore, targetEffectiveAt };
      const votes = [[requester, own]] as const;
      return { voteRequest: update.create(VoteRequest, { ...request, votes, trackingCid: null }) };
    },
  },
  DsoRules_CastVote: {
    controllers: (_rules, { vote }) => [vote.sv],
    exercise: ({ update, contract: rules, argument: { requestCid, vote } }) => {
      const { dso, config } = rules;
      requireWellformed(config, vote.reason);
      const { name } = svInfo(rules, vote.sv) ?? abort("Voter is not an SV");
      const request = fetchAndArchive(update, VoteRequest, requestCid, forDso(dso));
      const castBefore = request.votes.find(([voter]) => voter === name)?.[1].optCastAt ?? null;
      if (castBefore !== null) {
        // Otherwise an SV could keep the vote from being closed by changing its mind all the time.
        const nextAllowed = addDuration(castBefore, voteCooldown(config));
        requireDeadlineExceeded(`voteCooldownTime for ${vote.sv}`, update.now, nextAllowed);
      }
      const votes = withKey(request.votes, name, { ...vote, optCastAt: update.now });
      const trackingCid = request.trackingCid ?? requestCid;
      return { voteRequest: update.create(VoteRequest, { ...request, votes, trackingCid }) };
    },
  },
  DsoRules_CloseVoteRequest: byMember(({ update, contract: rules, argument, self }) => {
    const { dso, svs } = rules;
    const { now } = update;
    const request = fetchAndArchive(update, VoteRequest, argument.requestCid, forDso(dso));
    const names = svs.map(([, { name }]) => name);
    const ofMembers = request.votes.filter(([voter]) => names.includes(voter));
    const yes = ofMembers.filter(([, { accept }]) => accept).length;
    const tally = { yes, no: ofMembers.length - yes, required: requiredConfirmations(svs.length) };
    const outcome: VoteRequestOutcome = decideVote(request, tally, now);
    if (outcome.tag === "VRO_Accepted") {
      const { amuletRulesCid } = argument;
      executeAction(update, { dso, dsoRulesCid: self, amuletRulesCid }, request.action);
    }
    return {
      request,
      completedAt: now,
      offboardedVoters: request.votes.map(([voter]) => voter).filter((voter) => !names.includes(voter)),
      abstainingSvs: names.filter((name) => !request.votes.some(([voter]) => voter === name)),
      outcome,
    };
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;

function requireWellformed({ maxTextLength }: DsoRulesConfig, { url, body }: Reason): void {
  requireThat("Reason URL is not too long", codePointLength(url) <= maxTextLength);
  requireThat("Reason body is not too long", codePointLength(body) <= maxTextLength);
}
