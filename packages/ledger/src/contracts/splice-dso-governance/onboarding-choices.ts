/**
 * Onboarding of an SV: a sponsor presents it, a quorum confirms it, and the candidate itself joins once its node is
 * ready, from the oldest open round on. Any SV expires a request that was not completed in time.
 */
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive, fetchChecked } from "../checks/checked-fetch.ts";
import { forDso, forOwnerAs } from "../checks/contract-group.ts";
import { requireWithinDeadline } from "../checks/deadline.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { isNext } from "../splice-amulet/rounds/round-life-cycle.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { SvOnboardingConfirmed, SvOnboardingRequest } from "./declarations/sv-onboarding.ts";
import { withKey } from "./keyed-map.ts";
import { byMember, isMember, requireNeverOperated, svInfo } from "./members.ts";

export const onboardingChoices = {
  DsoRules_StartSvOnboarding: {
    controllers: (_rules, { sponsor }) => [sponsor],
    exercise: ({ update, contract: rules, argument }) => {
      requireThat("Sponsor is an SV", isMember(rules, argument.sponsor));
      const expiresAt = addDuration(update.now, rules.config.svOnboardingRequestTimeout.microseconds);
      const request = { ...argument, dso: rules.dso, expiresAt };
      return { onboardingRequest: update.create(SvOnboardingRequest, request) };
    },
  },
  DsoRules_ExpireSvOnboardingRequest: byMember(({ update, argument: { cid } }) =>
    update.exercise(SvOnboardingRequest, cid, "SvOnboardingRequest_Expire", {}),
  ),
  DsoRules_ArchiveSvOnboardingRequest: byMember(({ update, contract: rules, argument }) => {
    const { svOnboardingRequestCid: cid } = argument;
    const { candidateParty, candidateName } = fetchAndArchive(
      update,
      SvOnboardingRequest,
      cid,
      forDso(rules.dso),
    );
    const info = svInfo(rules, candidateParty);
    requireThat("SV party is an SV", info !== undefined);
    requireThat("SV name matches", info?.name === candidateName);
    return {};
  }),
  DsoRules_ConfirmSvOnboarding: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract: rules, argument }) => {
      const {
        newSvParty: svParty,
        newSvName: svName,
        newParticipantId,
        newSvRewardWeight,
        reason,
      } = argument;
      const { dso, config } = rules;
      requireNeverOperated(rules, svParty);
      if (!rules.isDevNet) {
        const isNew = rules.svs.every(([, { name }]) => name !== svName);
        requireThat("SV name is expected to be new unless in devnet", isNew);
      }
      const onboardingConfirmed = update.create(SvOnboardingConfirmed, {
        svParty,
        svName,
        svRewardWeight: newSvRewardWeight,
        svParticipantId: newParticipantId,
        reason,
        dso,
        expiresAt: addDuration(update.now, config.svOnboardingConfirmedTimeout.microseconds),
      });
      return { onboardingConfirmed };
    },
  },
  DsoRules_AddConfirmedSv: {
    controllers: (_rules, { sv }) => [sv],
    exercise: ({ update, contract: { dso }, argument, self }) => {
      const { sv } = argument;
      const ofCandidate = forOwnerAs({ dso, owner: sv }, ({ svParty }: SvOnboardingConfirmed) => svParty);
      const { svOnboardingConfirmedCid: confirmedCid } = argument;
      const confirmed = fetchAndArchive(update, SvOnboardingConfirmed, confirmedCid, ofCandidate);
      requireWithinDeadline("svOnboardingConfirmed.expiresAt", update.now, confirmed.expiresAt);
      const earliest = fetchChecked(update, OpenMiningRound, argument.earliestRoundCid, forDso(dso));
      const middle = fetchChecked(update, OpenMiningRound, argument.middleRoundCid, forDso(dso));
      const latest = fetchChecked(update, OpenMiningRound, argument.latestRoundCid, forDso(dso));
      requireThat("middleRound is one after earliestRound", isNext(middle, earliest));
      requireThat("latestRound is one after middleRound", isNext(latest, middle));
      return update.exercise(DsoRules, self, "DsoRules_AddSv", {
        newSvParty: sv,
        newSvName: confirmed.svName,
        newSvRewardWeight: confirmed.svRewardWeight,
        newSvParticipantId: confirmed.svParticipantId,
        joinedAsOfRound: earliest.round,
      });
    },
  },
  DsoRules_ExpireSvOnboardingConfirmed: byMember(({ update, contract: rules, argument: { cid } }) => {
    const { svParty, svName, svParticipantId } = fetchChecked(
      update,
      SvOnboardingConfirmed,
      cid,
      forDso(rules.dso),
    );
    update.exercise(SvOnboardingConfirmed, cid, "SvOnboardingConfirmed_Expire", {});
    // It counts as offboarded, so that its node is taken off the DSO's hosts again.
    const info = { name: svName, participantId: svParticipantId };
    const offboardedSvs = withKey(rules.offboardedSvs, svParty, info);
    return { newDsoRules: update.create(DsoRules, { ...rules, offboardedSvs }) };
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
