/**
 * Candidates that ask to become SVs: a quorum confirms those that the SVs' operators have approved, each for itself. The
 * request of a candidate that has become an SV goes.
 */
import {
  findParticipantMember,
  onDsoRules,
  type PartyId,
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "@callsign/ledger";
import { textKey } from "../../kinds/keys.ts";
import { FEW } from "../../limits/limits.ts";
import { approveCandidate } from "../../onboarding/approve-candidate.ts";
import { confirmOrExecute } from "../confirm-or-execute.ts";
import { type DecidedTask, type Deciding, defineAutomation } from "../dso-automation.ts";
import type { FoundContract, LedgerFacts } from "../ledger-facts.ts";

export const confirmSvOnboardings = defineAutomation({
  name: "confirm-sv-onboardings",
  subjects: ["candidates"],
  /** Several candidates may share the key. */
  decide: (deciding, { key }) =>
    deciding.facts
      .listBy(SvOnboardingRequest, "ownerKey", key, FEW)
      .flatMap((request) => decideRequest(deciding, request, key)),
  awaits: ({ facts, hash }, action) => {
    if (action.tag !== "ARC_DsoRules") return false;
    const { tag, value } = action.value.dsoAction;
    if (tag !== "SRARC_ConfirmSvOnboarding") return false;
    const { newSvParty: party } = value;
    return !isConfirmed(facts, textKey(hash, party), party);
  },
});

function decideRequest(
  deciding: Deciding,
  { contractId, payload }: FoundContract<typeof SvOnboardingRequest>,
  key: bigint,
): readonly DecidedTask[] {
  const { facts, rules, task, approvedSvs } = deciding;
  const {
    candidateName: name,
    candidateParty: party,
    candidateParticipantId: participantId,
    token,
  } = payload;
  const known = rules.dsoRules.payload.svs.find(([sv]) => sv === party)?.[1];
  if (known?.name === name)
    return [
      task(`complete ${contractId}`, "DsoRules_ArchiveSvOnboardingRequest", {
        svOnboardingRequestCid: contractId,
      }),
    ];
  if (known !== undefined || payload.expiresAt <= facts.now || isConfirmed(facts, key, party)) return [];
  const candidate = approveCandidate(
    { token, name, party, participantId },
    { approved: approvedSvs, dso: rules.dso },
  );
  if ("fault" in candidate || !canJoin(deciding, { name, party, participantId })) return [];
  return confirmOrExecute(
    deciding,
    onDsoRules({
      tag: "SRARC_ConfirmSvOnboarding",
      value: {
        newSvParty: party,
        newSvName: name,
        newParticipantId: participantId,
        newSvRewardWeight: candidate.rewardWeightBps,
        reason: token,
      },
    }),
  );
}

/** The ledger would refuse a used name or a former SV, and a set of SVs has registered members alone. */
function canJoin(
  { rules, isHostedBy }: Deciding,
  {
    name,
    party,
    participantId,
  }: { readonly name: string; readonly party: PartyId; readonly participantId: string },
): boolean {
  const { svs, offboardedSvs, isDevNet } = rules.dsoRules.payload;
  if (offboardedSvs.some(([sv]) => sv === party)) return false;
  if (!isDevNet && svs.some(([, info]) => info.name === name)) return false;
  const member = findParticipantMember(participantId);
  return member !== null && isHostedBy(party, member);
}

function isConfirmed(facts: LedgerFacts, key: bigint, party: string): boolean {
  return facts
    .listBy(SvOnboardingConfirmed, "ownerKey", key, FEW)
    .some(({ payload }) => payload.svParty === party && payload.expiresAt > facts.now);
}
