/** The candidates that an SV lets in: those whose names and keys its operator has configured. */
import { findParticipantMember, type PartyId, partyNamespace } from "@callsign/ledger";
import { readSvToken, type SvOnboardingToken, type SvTokenFault } from "./sv-onboarding-token.ts";

/** A candidate that the SVs have agreed on outside of the network. */
export interface ApprovedSv {
  readonly name: string;
  /** SPKI in DER, as base64. */
  readonly publicKey: string;
  /** In basis points; all SVs have to name the same. */
  readonly rewardWeightBps: bigint;
}

export interface ApprovedCandidate {
  readonly token: SvOnboardingToken;
  readonly rewardWeightBps: bigint;
}

/** The approved candidate, or the reason why it is none. */
export function approveCandidate(
  given: {
    readonly token: string;
    readonly name?: string;
    readonly party?: PartyId;
    readonly participantId?: string;
  },
  { approved, dso }: { readonly approved: readonly ApprovedSv[]; readonly dso: PartyId },
): ApprovedCandidate | SvTokenFault {
  const token = readSvToken(given.token);
  if ("fault" in token) return token;
  const known = approved.find(({ name }) => name === token.name);
  if (known === undefined)
    return { fault: `no approved SV has the name ${JSON.stringify(token.name.slice(0, 200))}` };
  if (known.publicKey !== token.key) return { fault: "the candidate's key is not the approved one" };
  if (token.dso !== dso) return { fault: `the token is for another DSO than ${dso}` };
  const fault = findMismatch(given, token);
  return fault === null ? { token, rewardWeightBps: known.rewardWeightBps } : { fault };
}

/** A request on the ledger must say what its token says. */
function findMismatch(
  { name, party, participantId }: Parameters<typeof approveCandidate>[0],
  token: SvOnboardingToken,
): string | null {
  if (name !== undefined && name !== token.name) return "the request names another candidate than its token";
  if (party !== undefined && party !== token.party) return "the request names another party than its token";
  if (participantId !== undefined && participantId !== token.participantId)
    return "the request names another participant than its token";
  const member = findParticipantMember(token.participantId);
  if (member === null || member.slice(member.indexOf("::") + 2) !== partyNamespace(token.party))
    return `party ${token.party} does not have the namespace of its participant ${token.participantId.slice(0, 300)}`;
  return null;
}
